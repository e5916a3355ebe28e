// Compares what the provider served, what clients received and what the ledger recorded, request by request.
import { type JournalEntry, sumEntries } from '@tollgate/testkit';
import type { System } from '../system/start-system.js';
import type { Asked } from './loads/load.js';

/** Cents per million tokens, which is the same as microcents per token. */
interface TokenPrice {
  input: bigint;
  output: bigint;
}

interface HoldRow {
  request_id: string;
  state: number;
  customer_id: string | null;
  input_tokens: string | null;
  output_tokens: string | null;
  customer_microcents: string | null;
  owner_microcents: string | null;
  overrun_microcents: string | null;
  unreconciled_microcents: string | null;
}

interface TransferRow {
  cause: string;
  kind: string;
  amount: string;
}

export interface Reckoning {
  holds: Map<string, HoldRow>;
  /** Faults found; empty if every token is accounted for and no customer paid twice. */
  violations: string[];
}

export interface Evidence {
  /** The owner whose records are compared. */
  ownerAccountId: string;
  journal: readonly JournalEntry[];
  asked: readonly Asked[];
  catalogPrice: TokenPrice;
  customerPrice: TokenPrice;
  /** No process was killed, so only requests that were dispatched may be unreconciled. */
  hasNoDeaths?: boolean;
  /** Requests whose admission or settlement a failover has lost. Their usage is unreconciled, or unknown to the ledger. */
  lost?: ReadonlySet<string>;
}

const STATES = ['open', 'posted', 'released', 'expired', 'late'] as const;
/**
 * Tokens that may be in transit to us when a call is aborted: the provider has counted them, no client has received
 * them. More than that would be lost usage.
 */
const IN_FLIGHT_TOKENS_MAX = 5n;

/** What leaves and what comes back to a customer's limits; the last for an attempt of a run's step that was lost. */
const CUSTOMER_TRANSFERS: Readonly<Record<string, bigint>> = { charge: 1n, late: 1n, superseded: -1n };

/** Checks everything that must be true once no request is running. */
export async function reckon(system: System, evidence: Evidence): Promise<Reckoning> {
  const holds = new Map((await readHolds(system, evidence.ownerAccountId)).map((row) => [row.request_id, row]));
  const transfers = await readTransfers(system, evidence.ownerAccountId);
  const calls = groupCalls(evidence.journal);
  const completed = new Map(evidence.asked.filter((a) => a.isComplete).map((a) => [a.requestId, a]));
  const violations = [
    ...evidence.journal
      .filter((call) => !call.clientRequestId)
      .map((call) => `call ${call.callId} belongs to no request`),
    ...evidence.asked.filter((a) => a.isFalseEnd).map((a) => `${a.requestId} (${a.shape}) broke off and looked whole`),
    ...[...calls].flatMap(([id, served]) => judgeCall(id, served, holds.get(id), completed.has(id), evidence)),
    ...[...holds.values()].flatMap((hold) => judgeHold(hold, calls.has(hold.request_id), evidence)),
    ...[...completed.values()].flatMap((asked) => judgeAnswer(asked, holds.get(asked.requestId ?? ''), evidence)),
    ...judgeJournal(holds, transfers),
  ];
  return { holds, violations };
}

function computeCost(price: TokenPrice, inputTokens: bigint, outputTokens: bigint): bigint {
  return inputTokens * price.input + outputTokens * price.output;
}

interface Served {
  inputTokens: bigint;
  outputTokens: bigint;
  /** The provider itself ended the call before any output: it costs nothing. */
  isFailure: boolean;
}

function groupCalls(journal: readonly JournalEntry[]): Map<string, Served> {
  const groups = new Map<string, JournalEntry[]>();
  for (const call of journal) {
    if (call.clientRequestId) groups.set(call.clientRequestId, [...(groups.get(call.clientRequestId) ?? []), call]);
  }
  return new Map(
    [...groups].map(([id, calls]) => {
      const { inputTokens, outputTokens } = sumEntries(calls);
      return [
        id,
        {
          inputTokens: BigInt(inputTokens),
          outputTokens: BigInt(outputTokens),
          isFailure: calls.every(({ outcome }) => outcome === 'cut' || outcome === 'refused') && outputTokens === 0,
        },
      ];
    }),
  );
}

/** Checks that what one request's calls served is in exactly one of posted, overrun and unreconciled. */
function judgeCall(
  id: string,
  served: Served,
  hold: HoldRow | undefined,
  wasCompleted: boolean,
  evidence: Evidence,
): string[] {
  const { inputTokens, outputTokens } = served;
  if (served.isFailure || inputTokens + outputTokens === 0n) return [];
  const what = `${id}: served ${inputTokens}+${outputTokens}`;
  if (!hold) return evidence.lost?.has(id) ? [] : [`${what}, unknown to the ledger`];
  const how = `${what}, ${nameState(hold.state)} ${hold.input_tokens}+${hold.output_tokens}`;
  if (hold.state === 0) return [`${how}: still open`];
  if (hold.state === 2 || hold.state === 3) {
    // No usage was reported, or the call was cut off before it: what may have been served is unreconciled.
    const known = big(hold.owner_microcents) + big(hold.overrun_microcents) + big(hold.unreconciled_microcents);
    const cost = computeCost(evidence.catalogPrice, inputTokens, outputTokens);
    return known >= cost ? [] : [`${how}: covers ${known} of ${cost} microcents`];
  }
  if (big(hold.input_tokens) !== inputTokens) return [`${how}: input differs`];
  const missing = outputTokens - big(hold.output_tokens);
  // Tokens that were in transit when the call was cut off cannot be known.
  const mayMiss = wasCompleted ? 0n : IN_FLIGHT_TOKENS_MAX;
  return missing < 0n || missing > mayMiss ? [`${how}: output differs`] : [];
}

/** Checks that the ledger's amounts agree with its tokens and prices. */
function judgeHold(hold: HoldRow, wasCalled: boolean, evidence: Evidence): string[] {
  const tokens = [big(hold.input_tokens), big(hold.output_tokens)] as const;
  const name = `${hold.request_id}: ${nameState(hold.state)} ${tokens.join('+')}`;
  const violations: string[] = [];
  if (hold.state === 0) violations.push(`${name}: still open`);
  if (tokens[0] + tokens[1] > 0n && !wasCalled) violations.push(`${name}: charged without a call`);
  const cost = computeCost(evidence.catalogPrice, ...tokens);
  const isBooked = evidence.lost?.has(hold.request_id)
    ? big(hold.unreconciled_microcents) >= cost
    : big(hold.owner_microcents) + big(hold.overrun_microcents) === cost;
  if (!isBooked)
    violations.push(`${name}: owner ${hold.owner_microcents} + overrun ${hold.overrun_microcents}, cost ${cost}`);
  const price = hold.customer_id === null ? 0n : computeCost(evidence.customerPrice, ...tokens);
  if (big(hold.customer_microcents) > price)
    violations.push(`${name}: customer pays ${hold.customer_microcents}, price ${price}`);
  if (evidence.hasNoDeaths && big(hold.unreconciled_microcents) > 0n && !wasCalled)
    violations.push(`${name}: unreconciled ${hold.unreconciled_microcents} for work that was not dispatched`);
  return violations;
}

/** Checks that complete answers are metered with the usage they report, and that customers pay exactly that. */
function judgeAnswer({ requestId, shape, usage }: Asked, hold: HoldRow | undefined, evidence: Evidence): string[] {
  const name = `${requestId} (${shape})`;
  if (evidence.lost?.has(requestId ?? '')) return [];
  if (!hold) return [`${name}: answered without a hold`];
  if (hold.state !== 1 && hold.state !== 4) return [`${name}: answered, but ${nameState(hold.state)}`];
  const tokens = [big(hold.input_tokens), big(hold.output_tokens)] as const;
  if (usage === undefined || tokens[0] !== BigInt(usage.inputTokens) || tokens[1] !== BigInt(usage.outputTokens))
    return [`${name}: told ${JSON.stringify(usage)}, posted ${tokens.join('+')}`];
  const price = hold.customer_id === null ? 0n : computeCost(evidence.customerPrice, ...tokens);
  return big(hold.customer_microcents) === price ? [] : [`${name}: pays ${hold.customer_microcents}, price ${price}`];
}

/** Checks that the journal has one entry per request and kind, and that their sum is the hold's amount. */
function judgeJournal(holds: ReadonlyMap<string, HoldRow>, transfers: readonly TransferRow[]): string[] {
  const seen = new Set<string>();
  const charged = new Map<string, bigint>();
  const violations: string[] = [];
  for (const { cause, kind, amount } of transfers) {
    if (seen.has(`${cause} ${kind}`)) violations.push(`${cause}: ${kind} twice`);
    seen.add(`${cause} ${kind}`);
    const direction = CUSTOMER_TRANSFERS[kind.replace(/_(allowance|wallet)$/, '')];
    if (direction !== undefined) charged.set(cause, (charged.get(cause) ?? 0n) + direction * BigInt(amount));
  }
  for (const [id, hold] of holds) {
    if ((charged.get(id) ?? 0n) !== big(hold.customer_microcents))
      violations.push(
        `${id}: transfers charge ${charged.get(id) ?? 0n} in all, the hold says ${hold.customer_microcents}`,
      );
  }
  return violations;
}

function readHolds(system: System, ownerAccountId: string): Promise<HoldRow[]> {
  return system.query<HoldRow>(
    `SELECT request_id, state, customer_id, input_tokens, output_tokens, customer_microcents, owner_microcents,
       overrun_microcents, unreconciled_microcents
     FROM billing_ledger.holds WHERE owner_account_id = $1`,
    [ownerAccountId],
  );
}

function readTransfers(system: System, ownerAccountId: string): Promise<TransferRow[]> {
  return system.query<TransferRow>(
    `SELECT t.cause, t.kind, t.amount FROM billing_ledger.transfers t
     JOIN billing_ledger.holds h ON h.request_id = t.cause WHERE h.owner_account_id = $1`,
    [ownerAccountId],
  );
}

function nameState(state: number): string {
  return STATES[state] ?? String(state);
}

function big(value: string | null): bigint {
  return BigInt(value ?? 0);
}
