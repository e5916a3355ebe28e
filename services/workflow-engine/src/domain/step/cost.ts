import { costOfImages, costOfTokens } from '@tollgate/money';

/** The prices of an admission, in integer cents. */
export interface Prices {
  inputPerMillionCents: bigint;
  outputPerMillionCents: bigint;
  perImageCents: bigint;
}

/** The provider's usage of one call. */
export interface Usage {
  inputTokens: bigint;
  outputTokens: bigint;
  images: number;
}

/** The usage of a call, and its cost for the payer. */
export interface Served {
  usage: Usage;
  costMicrocents: bigint;
}

/** Returns the exact cost of a call in microcents: the admission's prices × the usage. */
export function costOfCall(usage: Usage, prices: Prices): bigint {
  const tokens = costOfTokens({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    inputPricePerMillionCents: prices.inputPerMillionCents,
    outputPricePerMillionCents: prices.outputPerMillionCents,
  });
  return tokens + costOfImages({ images: usage.images, pricePerImageCents: prices.perImageCents });
}

/** A finished or lost model call in the journal. */
export interface CallRecord {
  nodeId: string;
  holdId: string;
  status: 'settled' | 'failed' | 'ambiguous' | 'dispatched' | 'intent' | 'dropped';
  modelId: string | null;
  provider: string | null;
  costMicrocents: bigint | null;
  heldMicrocents: bigint | null;
  inputTokens: bigint | null;
  outputTokens: bigint | null;
}

export interface CostLine {
  nodeId: string;
  model: string;
  provider: string;
  microcents: bigint;
  requests: number;
  inputTokens: bigint;
  outputTokens: bigint;
}

export interface LostAttempt {
  nodeId: string;
  model: string;
  holdId: string;
  heldMicrocents: bigint;
}

export interface CostSummary {
  totalMicrocents: bigint;
  lines: CostLine[];
  /** Calls that were sent and whose outcome is unknown. They cost at most the held amount. */
  lostAttempts: LostAttempt[];
}

/** The cost of a tool call that is charged separately, for example an image. */
export interface ToolCost {
  nodeId: string;
  modelId: string | null;
  costMicrocents: bigint;
}

/** Returns one line per node, model and provider, in the order of the records. `isOver`: the run has ended. */
export function summarizeCost(
  records: readonly CallRecord[],
  isOver: boolean,
  tools: readonly ToolCost[] = [],
): CostSummary {
  const lines = new Map<string, CostLine>();
  const lostAttempts: LostAttempt[] = [];
  for (const record of records) {
    if (record.costMicrocents !== null) addToLine(lines, record, record.costMicrocents);
    else if (record.status === 'ambiguous' || (isOver && record.status === 'dispatched')) {
      const { nodeId, holdId } = record;
      lostAttempts.push({
        nodeId,
        holdId,
        model: record.modelId ?? '',
        heldMicrocents: record.heldMicrocents ?? 0n,
      });
    }
  }
  for (const { costMicrocents, ...tool } of tools) {
    addToLine(lines, { ...tool, provider: null, inputTokens: null, outputTokens: null }, costMicrocents);
  }
  const totalMicrocents = [...lines.values()].reduce((total, line) => total + line.microcents, 0n);
  return { totalMicrocents, lines: [...lines.values()], lostAttempts };
}

type Counted = Pick<CallRecord, 'nodeId' | 'modelId' | 'provider' | 'inputTokens' | 'outputTokens'>;

function addToLine(lines: Map<string, CostLine>, record: Counted, microcents: bigint): void {
  const { nodeId } = record;
  const model = record.modelId ?? '';
  const provider = record.provider ?? '';
  const key = JSON.stringify([nodeId, model, provider]);
  const line = lines.get(key) ?? emptyLine(nodeId, model, provider);
  line.microcents += microcents;
  line.requests += 1;
  line.inputTokens += record.inputTokens ?? 0n;
  line.outputTokens += record.outputTokens ?? 0n;
  lines.set(key, line);
}

function emptyLine(nodeId: string, model: string, provider: string): CostLine {
  return { nodeId, model, provider, microcents: 0n, requests: 0, inputTokens: 0n, outputTokens: 0n };
}
