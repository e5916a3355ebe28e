import type { ProviderId } from '@tollgate/api/model-requests';
import type { TokenUsage } from '../../../domain/model-answer.js';
import { figure, isObject, type Json } from '../../convert/answer-reading.js';

/**
 * Converts `usage` and the service tier of a response, with the output items that list the uses of the vendor's own tools. OpenAI charges code per
 * container, of which a response has one; xAI charges each run.
 *
 * Source: ResponseUsage of the `openai` client library 6.49; `xaiResponsesUsageSchema` of `@ai-sdk/xai` 3.0.
 */
export function toTokenUsage(
  { usage, service_tier: serviceTier }: Json,
  items: readonly Json[],
  provider: ProviderId,
): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = figure(usage.input_tokens);
  const output = figure(usage.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const inputDetails = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const outputDetails = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const read = Math.min(figure(inputDetails.cached_tokens) ?? 0, input);
  const { searches, codeRuns } = toolUse(usage, items, provider);
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: Math.min(figure(inputDetails.cache_write_tokens) ?? 0, input - read),
    reasoningTokens: Math.min(figure(outputDetails.reasoning_tokens) ?? 0, output),
    ...(searches > 0 ? { searches } : {}),
    ...(codeRuns > 0 ? { codeRuns } : {}),
    ...(typeof serviceTier === 'string' ? { serviceTier } : {}),
  };
}

function toolUse(usage: Json, items: readonly Json[], provider: ProviderId): { searches: number; codeRuns: number } {
  const runs = items.filter(({ type }) => type === 'code_interpreter_call' || type === 'code_execution_call').length;
  if (provider !== 'xai') return { searches: items.filter(isSearch).length, codeRuns: Math.min(runs, 1) };
  // xAI counts all tools together; searches of posts have several types.
  const used = figure(usage.num_server_side_tools_used) ?? items.filter(isXaiSearch).length + runs;
  return { searches: Math.max(used - runs, 0), codeRuns: Math.min(runs, used) };
}

/** Opening a page and searching in it are part of one search. */
function isSearch({ type, action }: Json): boolean {
  return type === 'web_search_call' && (!isObject(action) || action.type === undefined || action.type === 'search');
}

function isXaiSearch({ type }: Json): boolean {
  return type === 'web_search_call' || type === 'x_search_call' || type === 'custom_tool_call';
}
