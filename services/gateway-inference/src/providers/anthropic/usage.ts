import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, isObject, type Json } from '../convert/answer-reading.js';

/**
 * Converts `usage`. The vendor counts input separately from cache reads and writes; their sum is what the model read. Figures
 * of a stream are cumulative: `before` has those that a later event leaves out.
 *
 * Source: Usage and MessageDeltaUsage of `@anthropic-ai/sdk` 1.12 ("Total input tokens in a request is the summation …").
 */
export function toTokenUsage(usage: unknown, before?: TokenUsage): TokenUsage | undefined {
  if (!isObject(usage)) return before;
  const read = figure(usage.cache_read_input_tokens) ?? before?.cacheReadInputTokens ?? 0;
  const written = figure(usage.cache_creation_input_tokens) ?? before?.cacheWriteInputTokens ?? 0;
  const plainBefore = before && before.inputTokens - before.cacheReadInputTokens - before.cacheWriteInputTokens;
  const plain = figure(usage.input_tokens) ?? plainBefore;
  const output = figure(usage.output_tokens) ?? before?.outputTokens;
  if (plain === undefined || output === undefined) return before;
  const searches = readSearches(usage) ?? before?.searches ?? 0;
  const hour = Math.min(readHourWrites(usage) ?? before?.cacheWriteHourTokens ?? 0, written);
  return {
    inputTokens: plain + read + written,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    reasoningTokens: Math.min(readThinkingTokens(usage) ?? before?.reasoningTokens ?? 0, output),
    ...(searches > 0 ? { searches } : {}),
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
  };
}

/** Returns the usage at the end of a stream; undefined if it does not count the output, which its start could not count. */
export function finalUsage(usage: unknown, first: TokenUsage | undefined): TokenUsage | undefined {
  return isObject(usage) && figure(usage.output_tokens) !== undefined ? toTokenUsage(usage, first) : undefined;
}

function readSearches({ server_tool_use: used }: Json): number | undefined {
  return isObject(used) ? figure(used.web_search_requests) : undefined;
}

function readHourWrites({ cache_creation: created }: Json): number | undefined {
  return isObject(created) ? figure(created.ephemeral_1h_input_tokens) : undefined;
}

function readThinkingTokens({ output_tokens_details: details }: Json): number | undefined {
  return isObject(details) ? figure(details.thinking_tokens) : undefined;
}
