import type { TokenUsage } from '../../domain/model-answer.js';
import { figure, isObject, type Json } from '../convert/answer-reading.js';

/**
 * Converts `usage`. The vendor counts input separately from cache reads and writes; their sum is what the model read. Figures
 * of a stream are cumulative: `before` has those that a later event leaves out, or that a relay reports as 0.
 *
 * Source: Usage and MessageDeltaUsage of `@anthropic-ai/sdk` 1.12 ("Total input tokens in a request is the summation …").
 */
export function toTokenUsage(usage: unknown, before?: TokenUsage): TokenUsage | undefined {
  if (!isObject(usage)) return before;
  const input = readInput(usage, before);
  const output = figure(usage.output_tokens) ?? before?.outputTokens;
  if (!input || output === undefined) return before;
  const { plain, read, written } = input;
  const searches = readSearches(usage) ?? before?.searches ?? 0;
  const hour = Math.min(readHourWrites(usage) ?? before?.cacheWriteHourTokens ?? 0, written);
  const tier = readServiceTier(usage) ?? before?.serviceTier;
  return {
    inputTokens: plain + read + written,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    reasoningTokens: Math.min(readThinkingTokens(usage) ?? before?.reasoningTokens ?? 0, output),
    ...(searches > 0 ? { searches } : {}),
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  };
}

interface InputCounters {
  plain: number;
  read: number;
  written: number;
}

/**
 * Returns the counters of input, which do not overlap. Later ones replace earlier ones if they count as much input together:
 * then a 0 means that another counter has it. Otherwise a 0 replaces nothing.
 */
function readInput(usage: Json, before: TokenUsage | undefined): InputCounters | undefined {
  const earlier = before && {
    plain: before.inputTokens - before.cacheReadInputTokens - before.cacheWriteInputTokens,
    read: before.cacheReadInputTokens,
    written: before.cacheWriteInputTokens,
  };
  const plain = figure(usage.input_tokens) ?? earlier?.plain;
  if (plain === undefined) return undefined;
  const read = figure(usage.cache_read_input_tokens) ?? earlier?.read ?? 0;
  const written = figure(usage.cache_creation_input_tokens) ?? earlier?.written ?? 0;
  if (!earlier || !before || plain + read + written >= before.inputTokens) return { plain, read, written };
  return { plain: plain || earlier.plain, read: read || earlier.read, written: written || earlier.written };
}

/** Returns the usage at the end of a stream; undefined if it does not count the output, which its start could not count. */
export function finalUsage(usage: unknown, first: TokenUsage | undefined): TokenUsage | undefined {
  return isObject(usage) && figure(usage.output_tokens) !== undefined ? toTokenUsage(usage, first) : undefined;
}

function readSearches({ server_tool_use: used }: Json): number | undefined {
  return isObject(used) ? figure(used.web_search_requests) : undefined;
}

/** Returns the service tier, if it is not the usual one. */
function readServiceTier({ service_tier: tier }: Json): string | undefined {
  return typeof tier === 'string' && tier !== 'standard' ? tier : undefined;
}

function readHourWrites({ cache_creation: created }: Json): number | undefined {
  return isObject(created) ? figure(created.ephemeral_1h_input_tokens) : undefined;
}

function readThinkingTokens({ output_tokens_details: details }: Json): number | undefined {
  return isObject(details) ? figure(details.thinking_tokens) : undefined;
}
