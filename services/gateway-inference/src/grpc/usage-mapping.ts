import type { ServedUsage } from '../domain/usage.js';

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
