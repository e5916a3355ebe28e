import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, isObject, type Json } from '../convert/answer-reading.js';

/**
 * `usage` → our counters. The vendor counts input apart from what it read from and wrote to its cache; the sum is what
 * the model read. Figures of a stream are cumulative: `before` gives what a later event leaves out.
 *
 * Source: Usage and MessageDeltaUsage of `@anthropic-ai/sdk` 1.11 ("Total input tokens in a request is the summation …").
 */
export function toTokenUsage(usage: unknown, before?: TokenUsage): TokenUsage | undefined {
  if (!isObject(usage)) return before;
  const read = figure(usage.cache_read_input_tokens) ?? before?.cacheReadInputTokens ?? 0;
  const written = figure(usage.cache_creation_input_tokens) ?? before?.cacheWriteInputTokens ?? 0;
  const plainBefore = before && before.inputTokens - before.cacheReadInputTokens - before.cacheWriteInputTokens;
  const plain = figure(usage.input_tokens) ?? plainBefore;
  const output = figure(usage.output_tokens) ?? before?.outputTokens;
  if (plain === undefined || output === undefined) return before;
  const searches = searchesOf(usage) ?? before?.searches ?? 0;
  return {
    inputTokens: plain + read + written,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    reasoningTokens: Math.min(thinkingOf(usage) ?? before?.reasoningTokens ?? 0, output),
    ...(searches > 0 ? { searches } : {}),
  };
}

/** Returns the figures at the end of a stream; undefined when they do not count the output: its beginning could not. */
export function finalUsage(usage: unknown, first: TokenUsage | undefined): TokenUsage | undefined {
  return isObject(usage) && figure(usage.output_tokens) !== undefined ? toTokenUsage(usage, first) : undefined;
}

function searchesOf({ server_tool_use: used }: Json): number | undefined {
  return isObject(used) ? figure(used.web_search_requests) : undefined;
}

function thinkingOf({ output_tokens_details: details }: Json): number | undefined {
  return isObject(details) ? figure(details.thinking_tokens) : undefined;
}
