import type { TokenUsage } from './model-answer.js';

/** The usage that a turn is settled with. */
export interface ServedUsage extends TokenUsage {
  isEstimated: boolean;
  /** The provider's fees in addition to tokens. */
  feeMicrocents: bigint;
  /** The whole charge of providers to the owner account. */
  providerMicrocents: bigint;
  /** What providers charge the project itself, for calls on its own connections. */
  ownProviderMicrocents: bigint;
}

export const NOTHING_SERVED: Readonly<ServedUsage> = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
  feeMicrocents: 0n,
  providerMicrocents: 0n,
  ownProviderMicrocents: 0n,
};

/** Above this, a provider's count of its own tools' uses in one answer is wrong. */
const TOOL_USES_MAX = 1_000;

/** Whether a provider's figure consists of counts: no member is negative, fractional or out of range. */
export function areCounts({
  searches = 0,
  codeRuns = 0,
  serviceTier: _,
  isEstimated: _own,
  ...tokens
}: TokenUsage): boolean {
  const counts = [...Object.values(tokens), searches, codeRuns];
  return counts.every(isCount) && searches <= TOOL_USES_MAX && codeRuns <= TOOL_USES_MAX;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Returns a later figure of the same call. Some servers and relays report a member once and then 0: a 0 does not replace what
 * was reported before. The counters of the cache stay parts of the input.
 */
export function withoutNewZeros(later: TokenUsage, earlier: TokenUsage): TokenUsage {
  const kept = { ...later };
  const counts = Object.entries(earlier) as [Exclude<keyof TokenUsage, 'serviceTier' | 'isEstimated'>, number][];
  for (const [name, before] of counts) kept[name] ||= before;
  const cacheReadInputTokens = Math.min(kept.cacheReadInputTokens, kept.inputTokens);
  const cacheWriteInputTokens = Math.min(kept.cacheWriteInputTokens, kept.inputTokens - cacheReadInputTokens);
  return { ...kept, cacheReadInputTokens, cacheWriteInputTokens };
}

/** Adds the usage of two model calls of one turn. */
export function addUsage(one: ServedUsage, other: ServedUsage): ServedUsage {
  if (one === NOTHING_SERVED) return other;
  const searches = (one.searches ?? 0) + (other.searches ?? 0);
  const codeRuns = (one.codeRuns ?? 0) + (other.codeRuns ?? 0);
  const cacheWriteHourTokens = (one.cacheWriteHourTokens ?? 0) + (other.cacheWriteHourTokens ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadInputTokens: one.cacheReadInputTokens + other.cacheReadInputTokens,
    cacheWriteInputTokens: one.cacheWriteInputTokens + other.cacheWriteInputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    ...(searches > 0 ? { searches } : {}),
    ...(codeRuns > 0 ? { codeRuns } : {}),
    ...(cacheWriteHourTokens > 0 ? { cacheWriteHourTokens } : {}),
    isEstimated: one.isEstimated || other.isEstimated,
    feeMicrocents: one.feeMicrocents + other.feeMicrocents,
    providerMicrocents: one.providerMicrocents + other.providerMicrocents,
    ownProviderMicrocents: one.ownProviderMicrocents + other.ownProviderMicrocents,
  };
}

/** Converts usage to the native answer's form, without the counters that are 0. */
export function nativeUsage(usage: TokenUsage): Record<string, number | boolean> {
  const body: Record<string, number | boolean> = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
  if (usage.cacheReadInputTokens > 0) body.cache_read_input_tokens = usage.cacheReadInputTokens;
  if (usage.cacheWriteInputTokens > 0) body.cache_write_input_tokens = usage.cacheWriteInputTokens;
  if (usage.reasoningTokens > 0) body.reasoning_tokens = usage.reasoningTokens;
  if (usage.searches) body.web_search_requests = usage.searches;
  return { ...body, ...estimatedMark(usage) };
}

/** Returns the member that marks usage, in any dialect, which the provider did not report. */
export function estimatedMark({ isEstimated }: TokenUsage): { estimated?: true } {
  return isEstimated ? { estimated: true } : {};
}

/** Init form of tollgate.common.v1.Usage. */
export interface ProtoUsage {
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadInputTokens: bigint;
  cacheWriteInputTokens: bigint;
  reasoningTokens: bigint;
  estimated: boolean;
  feeMicrocents?: bigint;
  providerMicrocents?: bigint;
  ownProviderMicrocents?: bigint;
}

/** Returns usage as the ledger charges it: with the provider's charge. */
export function toBilledUsage(usage: ServedUsage): ProtoUsage {
  const { feeMicrocents, providerMicrocents, ownProviderMicrocents } = usage;
  return { ...toProtoUsage(usage), feeMicrocents, providerMicrocents, ownProviderMicrocents };
}

export function toProtoUsage(usage: ServedUsage): ProtoUsage {
  return {
    inputTokens: BigInt(usage.inputTokens),
    outputTokens: BigInt(usage.outputTokens),
    cacheReadInputTokens: BigInt(usage.cacheReadInputTokens),
    cacheWriteInputTokens: BigInt(usage.cacheWriteInputTokens),
    reasoningTokens: BigInt(usage.reasoningTokens),
    estimated: usage.isEstimated,
  };
}
