import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, isObject, type Json } from '../convert/answer-reading.js';

/**
 * Converts `usage` of chat completions. A total above prompt + completion includes output that the vendor counts separately
 * (xAI's reasoning tokens); it is billed as output, as everywhere.
 *
 * Source: CompletionUsage in the `openai` client library 6.49; docs.x.ai/docs/key-information/consumption-and-rate-limits.
 */
export function toTokenUsage(usage: unknown, serviceTier?: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = figure(usage.prompt_tokens);
  const completion = figure(usage.completion_tokens);
  if (prompt === undefined || completion === undefined) return undefined;
  const total = figure(usage.total_tokens) ?? 0;
  const promptDetails = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completionDetails = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const cacheRead = Math.min(figure(promptDetails.cached_tokens) ?? readCached(usage) ?? 0, prompt);
  const output = Math.max(completion, total - prompt);
  return {
    inputTokens: prompt,
    outputTokens: output,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: Math.min(figure(promptDetails.cache_write_tokens) ?? 0, prompt - cacheRead),
    reasoningTokens: Math.min(figure(completionDetails.reasoning_tokens) ?? 0, output),
    ...(typeof serviceTier === 'string' ? { serviceTier } : {}),
  };
}

/**
 * Returns the cached part of the prompt where servers report it outside of OpenAI's members: DeepSeek and Moonshot.
 *
 * Source: api-docs.deepseek.com/guides/kv_cache (`prompt_cache_hit_tokens`), platform.moonshot.ai/docs/api/chat (`cached_tokens`), read
 * 2026-11-30.
 */
function readCached(usage: Json): number | undefined {
  return figure(usage.prompt_cache_hit_tokens) ?? figure(usage.cached_tokens);
}
