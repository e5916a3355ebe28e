import { createHash } from 'node:crypto';
import type { FilePart, ProviderId } from '@tollgate/api/model-requests';
import type { ConnectionQuirks } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { type ModelMessage, type ModelPart, type ModelRequest, messageText } from '../../../domain/model-request.js';
import type { ModelCall } from '../../contract/provider.js';
import { filterObjects } from '../../convert/answer-reading.js';
import { toFileType } from '../../convert/file-type.js';
import { toolArgumentsText, toolName } from '../../convert/tool-names.js';
import { toJsonSchemaFormat, toParameters } from '../json-schema.js';
import { findCallTraits, type ModelTraits, openAiMessages } from '../model-traits.js';

/** OpenAI's own models accept only the newer name of the bound; most compatible servers support only the older one. */
export type TokenBoundName = 'max_completion_tokens' | 'max_tokens';

/** Converts a request to the body of `POST /chat/completions`. Source: request types of the `openai` client library 6.49. */
export function chatRequest(call: ModelCall, bound: TokenBoundName, provider: ProviderId): JsonObject {
  const request = call.request();
  const traits = findCallTraits(call, provider);
  const body: JsonObject = {
    model: call.upstreamModel,
    messages: openAiMessages(request).map(chatMessage),
    [bound]: call.maxOutputTokens,
  };
  if (call.isStream) {
    body.stream = true;
    body.stream_options = { include_usage: true };
  }
  const stop = request.stop.slice(0, traits.stopsMax);
  if (stop.length > 0) body.stop = stop;
  addSampling(body, request, traits);
  if (request.reasoningEffort !== undefined) body.reasoning_effort = request.reasoningEffort;
  if (request.tools.length > 0) addTools(body, request);
  const format = responseFormat(request, provider);
  if (format) body.response_format = format;
  return body;
}

function addSampling(
  body: JsonObject,
  { temperature, topP, sampling }: ModelRequest,
  { hasSampling }: ModelTraits,
): void {
  if (hasSampling) {
    if (temperature !== undefined) body.temperature = temperature;
    if (topP !== undefined) body.top_p = topP;
    if (sampling?.frequencyPenalty !== undefined) body.frequency_penalty = sampling.frequencyPenalty;
    if (sampling?.presencePenalty !== undefined) body.presence_penalty = sampling.presencePenalty;
  }
  if (sampling?.seed !== undefined) body.seed = sampling.seed;
  if (sampling?.topK !== undefined) body.top_k = sampling.topK;
}

/** Returns the client's own chat body with the decisions of admission. */
export function forwardedChatRequest(call: ModelCall, client: Readonly<JsonObject>, bound: TokenBoundName): JsonObject {
  const { max_tokens: _older, max_completion_tokens: newer, ...rest } = client;
  const body: JsonObject = rest;
  body.model = call.upstreamModel;
  body[newer ? 'max_completion_tokens' : bound] = call.maxOutputTokens;
  if (call.isStream) body.stream = true;
  if (call.isStream) body.stream_options = { ...(body.stream_options as JsonObject | undefined), include_usage: true };
  return body;
}

function chatMessage(message: ModelMessage): JsonObject {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: messageText(message) };
    case 'assistant':
      return assistantMessage(message);
    default:
      return { role: message.role, content: chatContent(message.content) };
  }
}

function assistantMessage(message: ModelMessage): JsonObject {
  const text = messageText(message);
  const body: JsonObject = { role: 'assistant', content: text === '' ? null : text };
  if (message.toolCalls.length > 0) {
    body.tool_calls = message.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: toolName(call.function?.name ?? call.type), arguments: toolArgumentsText(call) },
    }));
  }
  return body;
}

function chatContent(parts: readonly ModelPart[]): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1 && only.type === 'text') return only.text;
  return parts.map(chatPart);
}

function chatPart(part: ModelPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return part.type === 'file' ? chatFile(part.file) : { type: 'image_url', image_url: { url: part.url } };
}

function chatFile(file: FilePart['file']): JsonObject {
  const mime = toFileType(file);
  const dataUrl = `data:${mime};base64,${file.data_base64}`;
  if (mime.startsWith('image/')) return { type: 'image_url', image_url: { url: dataUrl } };
  const audio = audioFormat(mime);
  if (audio) return { type: 'input_audio', input_audio: { data: file.data_base64, format: audio } };
  if (mime.startsWith('audio/') || mime.startsWith('video/')) {
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `files of type ${mime} are not supported by this provider`);
  }
  return { type: 'file', file: { filename: file.filename ?? 'file', file_data: dataUrl } };
}

function audioFormat(mime: string): string | undefined {
  if (mime === 'audio/wav' || mime === 'audio/x-wav' || mime === 'audio/wave') return 'wav';
  return mime === 'audio/mpeg' || mime === 'audio/mp3' ? 'mp3' : undefined;
}

function addTools(body: JsonObject, request: ModelRequest): void {
  body.tools = request.tools.map((tool) => ({
    type: 'function',
    function: {
      name: toolName(tool.name),
      ...(tool.description === undefined ? {} : { description: tool.description }),
      ...(tool.parameters === undefined ? {} : { parameters: toParameters(tool.parameters) }),
    },
  }));
  const choice = request.toolChoice;
  if (request.parallelToolCalls !== undefined) body.parallel_tool_calls = request.parallelToolCalls;
  if (!choice) return;
  const isNamed = choice.type !== 'none' && choice.function !== undefined;
  body.tool_choice = isNamed ? { type: 'function', function: { name: toolName(choice.function!) } } : choice.type;
}

function responseFormat({ outputFormat }: ModelRequest, provider: ProviderId): JsonObject | undefined {
  if (!outputFormat || outputFormat.type === 'text') return undefined;
  if (outputFormat.type === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: toJsonSchemaFormat(outputFormat.json_schema!, provider) };
}

/** How a server's chat completions deviate from OpenAI's, as far as the body of a request shows it. */
export type ChatQuirks = Pick<
  ConnectionQuirks,
  | 'has_tools'
  | 'json'
  | 'seed'
  | 'stream_usage'
  | 'temperature_max'
  | 'temperature_min'
  | 'token_bound'
  | 'tool_choice'
  | 'tool_id_chars'
>;

/**
 * Brings a chat body into the form that a server accepts: the names and bounds of its parameters, and JSON by a schema as far as it has
 * it.
 *
 * @throws AppError for tools, or a choice of tools, that the server does not have
 */
export function fitChatBody(body: JsonObject, quirks: ChatQuirks): JsonObject {
  const fitted = { ...body };
  fitTools(fitted, quirks);
  fitFormat(fitted, quirks);
  if (quirks.token_bound) renameBound(fitted, quirks.token_bound);
  if (quirks.seed && fitted.seed !== undefined) {
    fitted[quirks.seed] = fitted.seed;
    delete fitted.seed;
  }
  // The server counts each stream, and refuses to be asked.
  if (quirks.stream_usage === 'always') delete fitted.stream_options;
  const { temperature_min: least = 0, temperature_max: most = Number.POSITIVE_INFINITY } = quirks;
  if (typeof fitted.temperature === 'number') fitted.temperature = Math.max(least, Math.min(fitted.temperature, most));
  if (quirks.tool_id_chars !== undefined) fitted.messages = fitToolIds(fitted.messages, quirks.tool_id_chars);
  return fitted;
}

function renameBound(body: JsonObject, name: NonNullable<ChatQuirks['token_bound']>): void {
  const bound = body.max_completion_tokens ?? body.max_tokens;
  delete body.max_completion_tokens;
  delete body.max_tokens;
  if (bound !== undefined) body[name] = bound;
}

function fitTools(body: JsonObject, { has_tools: hasTools, tool_choice: choices }: ChatQuirks): void {
  if (filterObjects(body.tools).length === 0) return;
  if (hasTools === false) throw refused('tools', 'this model has no tools');
  const { tool_choice: choice } = body;
  if (!choices || choice === undefined || choice === null) return;
  const kind = isJsonObject(choice) ? 'named' : String(choice);
  if ((choices as readonly string[]).includes(kind)) return;
  if (kind !== 'none')
    throw refused('tool_choice', 'this model cannot be forced to call a tool: tool_choice must be auto or none');
  delete body.tools;
  delete body.tool_choice;
  delete body.parallel_tool_calls;
}

/** Asks a server without schemas for JSON by an instruction that has the schema. */
function fitFormat(body: JsonObject, { json }: ChatQuirks): void {
  const { response_format: format } = body;
  if (json !== 'object' || !isJsonObject(format) || format.type !== 'json_schema') return;
  const schema = isJsonObject(format.json_schema) ? format.json_schema.schema : undefined;
  const content = `Answer with one JSON value that matches this JSON Schema, and nothing else: ${JSON.stringify(schema ?? {})}`;
  body.response_format = { type: 'json_object' };
  body.messages = [{ role: 'system', content }, ...filterObjects(body.messages)];
}

/** Shortens the ids of calls, alike in calls and results, to as many letters and digits as the server accepts. */
function fitToolIds(messages: unknown, chars: number): unknown {
  const accepted = new RegExp(`^[a-zA-Z0-9]{${chars}}$`);
  const toId = (id: unknown): string => {
    const text = String(id);
    return accepted.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, chars);
  };
  return filterObjects(messages).map((message) => ({
    ...message,
    ...(message.tool_call_id === undefined ? {} : { tool_call_id: toId(message.tool_call_id) }),
    ...(Array.isArray(message.tool_calls)
      ? { tool_calls: filterObjects(message.tool_calls).map((call) => ({ ...call, id: toId(call.id) })) }
      : {}),
  }));
}

function refused(field: string, message: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message }] });
}
