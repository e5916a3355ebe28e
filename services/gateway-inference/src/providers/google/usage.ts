import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, isObject } from '../convert/answer-reading.js';

/**
 * Converts `usageMetadata`. It counts thoughts and the input of the vendor's tools separately, and the cached part as part of
 * the prompt.
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
