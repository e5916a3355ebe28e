import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type {
  AnswerToolCall,
  Continuation,
  ModelAnswer,
  StopReason,
  TokenUsage,
} from '../../../domain/model-answer.js';
import { CitationList, figure, filterObjects, textOrUndefined, withReasoning } from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';

/** Converts a parsed response. Returns undefined if it is not one. */
export function toAnswer(
  body: JsonObject,
  names: ToolNames,
  provider: ProviderId,
  upstreamModel: string,
): ModelAnswer | undefined {
  if (!Array.isArray(body.output)) return undefined;
  const items = filterObjects(body.output);
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? filterObjects(content) : []));
  const isRefusal = parts.some(({ type }) => type === 'refusal');
  const toolCalls = items.filter(isFunctionCall).map((item) => toToolCall(item, names));
  const citations = new CitationList();
  for (const { annotations } of parts) addAnnotations(citations, annotations);
  const found = citations.all();
  return {
    responseId: textOrUndefined(body.id) ?? '',
    stopReason: isRefusal ? 'refusal' : toResponseStopReason(body, toolCalls.length > 0),
    text: parts.map((part) => textOrUndefined(part.type === 'refusal' ? part.refusal : part.text) ?? '').join(''),
    ...withReasoning(items.map(toReasoning).join('')),
    toolCalls,
    usage: toTokenUsage(body, items, provider),
    ...(found ? { citations: found } : {}),
    ...(toolCalls.length > 0 ? { continuation: toContinuation(items, provider, upstreamModel) } : {}),
  };
}

/** Returns the reasoning of an item, or else its summary. */
function toReasoning({ type, content, summary }: JsonObject): string {
  if (type !== 'reasoning') return '';
  const [full, short] = [content, summary].map((parts) =>
    filterObjects(parts).map(({ text }) => textOrUndefined(text) ?? ''),
  );
  return full!.join('') || short!.join('');
}

export function isFunctionCall({ type }: JsonObject): boolean {
  return type === 'function_call';
}

const clientCalls = new Set<unknown>([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
]);

/** Whether the item calls a tool that the client runs. */
export function isClientCall({ type, execution }: JsonObject): boolean {
  return clientCalls.has(type) || (type === 'tool_search_call' && execution === 'client');
}

/** Returns what the model wrote in a call, besides its name. */
export function callText({ arguments: args, input, action, actions, operation }: JsonObject): string {
  const written = args ?? input ?? action ?? actions ?? operation ?? '';
  return typeof written === 'string' ? written : JSON.stringify(written);
}

export function toToolCall(item: JsonObject, names: ToolNames): AnswerToolCall {
  const id = textOrUndefined(item.call_id) ?? textOrUndefined(item.id) ?? '';
  const name = names.original(String(item.name ?? ''));
  return { id, name, arguments: textOrUndefined(item.arguments) ?? '{}' };
}

export function toResponseStopReason(body: JsonObject, hasToolCalls: boolean): StopReason {
  if (body.status === 'incomplete') {
    const reason = isJsonObject(body.incomplete_details) ? body.incomplete_details.reason : undefined;
    return reason === 'content_filter' ? 'content_filter' : 'max_tokens';
  }
  return hasToolCalls ? 'tool_use' : 'stop';
}

/** Adds `annotations` of a text: `{type: "url_citation", url, title}`. */
export function addAnnotations(citations: CitationList, annotations: unknown): void {
  for (const { type, url, title } of filterObjects(annotations)) {
    if (type === 'url_citation') citations.add(url, title);
  }
}

/** Returns the items to send back. Nothing is stored at the vendor, so incomplete reasoning is left out. */
export function toContinuation(
  items: readonly JsonObject[],
  provider: ProviderId,
  upstreamModel: string,
): Continuation {
  const content = items.filter((item) => item.type !== 'reasoning' || typeof item.encrypted_content === 'string');
  return { provider, upstreamModel, content };
}

/**
 * Converts `usage` and the service tier of a response, with the output items that list the uses of the vendor's own tools. OpenAI charges code per
 * container, of which a response has one; xAI charges each run.
 *
 * Source: ResponseUsage of the `openai` client library 6.49; `xaiResponsesUsageSchema` of `@ai-sdk/xai` 3.0.
 */
export function toTokenUsage(
  { usage, service_tier: serviceTier }: JsonObject,
  items: readonly JsonObject[],
  provider: ProviderId,
): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = figure(usage.input_tokens);
  const output = figure(usage.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const inputDetails = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const outputDetails = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
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

function toolUse(
  usage: JsonObject,
  items: readonly JsonObject[],
  provider: ProviderId,
): { searches: number; codeRuns: number } {
  const runs = items.filter(({ type }) => type === 'code_interpreter_call' || type === 'code_execution_call').length;
  if (provider !== 'xai') return { searches: items.filter(isSearch).length, codeRuns: Math.min(runs, 1) };
  // xAI counts all tools together; searches of posts have several types.
  const used = figure(usage.num_server_side_tools_used) ?? items.filter(isXaiSearch).length + runs;
  return { searches: Math.max(used - runs, 0), codeRuns: Math.min(runs, used) };
}

/** Opening a page and searching in it are part of one search. */
function isSearch({ type, action }: JsonObject): boolean {
  return type === 'web_search_call' && (!isJsonObject(action) || action.type === undefined || action.type === 'search');
}

function isXaiSearch({ type }: JsonObject): boolean {
  return type === 'web_search_call' || type === 'x_search_call' || type === 'custom_tool_call';
}
