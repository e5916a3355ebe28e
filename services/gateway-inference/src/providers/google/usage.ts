import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, isObject } from '../convert/answer-reading.js';

/**
 * `usageMetadata` → our counters. Thoughts and what the vendor's tools read are counted apart there; the cached part is
 * inside the prompt.
 *
 * Source: GenerateContentResponseUsageMetadata of `@google/genai` 2.32 ("the sum of prompt_token_count,
 * candidates_token_count, tool_use_prompt_token_count, and thoughts_token_count").
 */
export function toTokenUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = figure(usage.promptTokenCount);
  if (prompt === undefined) return undefined;
  const thoughts = figure(usage.thoughtsTokenCount) ?? 0;
  return {
    inputTokens: prompt + (figure(usage.toolUsePromptTokenCount) ?? 0),
    outputTokens: (figure(usage.candidatesTokenCount) ?? 0) + thoughts,
    cacheReadInputTokens: Math.min(figure(usage.cachedContentTokenCount) ?? 0, prompt),
    cacheWriteInputTokens: 0,
    reasoningTokens: thoughts,
  };
}
