import type { TokenUsage } from './model-answer.js';

/** What a turn is settled with. */
export interface ServedUsage extends TokenUsage {
  /** Counted by our own rule, because the provider gave no figure. */
  isEstimated: boolean;
}

export const NOTHING_SERVED: Readonly<ServedUsage> = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
};

/** More uses of a provider's own tools in one answer are a fault of its counter. */
const TOOL_USES_MAX = 1_000;

/** Whether a provider's figure consists of counts: no member is negative, fractional or out of range. */
export function areCounts({ searches = 0, codeRuns = 0, ...tokens }: TokenUsage): boolean {
  const counts = [...Object.values(tokens), searches, codeRuns];
  return counts.every(isCount) && searches <= TOOL_USES_MAX && codeRuns <= TOOL_USES_MAX;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Of several model calls of one turn. */
export function sumOfUsage(one: ServedUsage, other: ServedUsage): ServedUsage {
  if (one === NOTHING_SERVED) return other;
  const searches = (one.searches ?? 0) + (other.searches ?? 0);
  const codeRuns = (one.codeRuns ?? 0) + (other.codeRuns ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadInputTokens: one.cacheReadInputTokens + other.cacheReadInputTokens,
    cacheWriteInputTokens: one.cacheWriteInputTokens + other.cacheWriteInputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    ...(searches > 0 ? { searches } : {}),
    ...(codeRuns > 0 ? { codeRuns } : {}),
    isEstimated: one.isEstimated || other.isEstimated,
  };
}

/** Usage in the words of the native answer; counters that a provider does not have are left out. */
export function nativeUsage(usage: TokenUsage): Record<string, number> {
  const body: Record<string, number> = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
  if (usage.cacheReadInputTokens > 0) body.cache_read_input_tokens = usage.cacheReadInputTokens;
  if (usage.cacheWriteInputTokens > 0) body.cache_write_input_tokens = usage.cacheWriteInputTokens;
  if (usage.reasoningTokens > 0) body.reasoning_tokens = usage.reasoningTokens;
  if (usage.searches) body.web_search_requests = usage.searches;
  return body;
}

/** Init form of tollgate.common.v1.Usage. */
export interface ProtoUsage {
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadInputTokens: bigint;
  cacheWriteInputTokens: bigint;
  reasoningTokens: bigint;
  estimated: boolean;
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
