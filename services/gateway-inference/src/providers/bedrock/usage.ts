import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, filterObjects, isObject } from '../convert/answer-reading.js';

/**
 * Converts `usage` of Converse. Input is counted separately from cache reads and writes; their sum is what the model read. Reasoning
 * is part of the output and not counted by itself.
 *
 * Source: docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html and TokenUsage, CacheDetail of
 * `@aws-sdk/client-bedrock-runtime` 3.1164, read 2026-11-30.
 */
export function toTokenUsage(usage: unknown, serviceTier?: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const plain = figure(usage.inputTokens);
  const output = figure(usage.outputTokens);
  if (plain === undefined || output === undefined) return undefined;
  const read = figure(usage.cacheReadInputTokens) ?? 0;
  const written = figure(usage.cacheWriteInputTokens) ?? 0;
  const hour = filterObjects(usage.cacheDetails)
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, { inputTokens }) => sum + (figure(inputTokens) ?? 0), 0);
  const tier = isObject(serviceTier) ? serviceTier.type : undefined;
  return {
    inputTokens: plain + read + written,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    reasoningTokens: 0,
    ...(hour > 0 ? { cacheWriteHourTokens: Math.min(hour, written) } : {}),
    ...(typeof tier === 'string' && tier !== 'default' ? { serviceTier: tier } : {}),
  };
}
