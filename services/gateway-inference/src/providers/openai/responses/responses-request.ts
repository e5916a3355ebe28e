import type { FilePart, ProviderId } from '@tollgate/api/model-requests';
import { PROVIDER_SEARCHES_MAX } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import {
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  messageText,
  type ProviderTool,
} from '../../../domain/model-request.js';
import type { ModelCall } from '../../contract/provider.js';
import { toFileType } from '../../convert/file-type.js';
import { toolArgumentsText, toolName } from '../../convert/tool-names.js';
import { toJsonSchemaFormat, toParameters } from '../json-schema.js';
import { findCallTraits, openAiMessages } from '../model-traits.js';

const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/**
 * Converts a request to the body of `POST /responses`, which supports the vendors' own tools, unlike chat completions.
 *
 * Sources: ResponseCreateParams of the `openai` client library 6.49; docs.x.ai/developers/tools/overview and the request
 * types of `@ai-sdk/xai` 3.0.
 */
export function responsesRequest(call: ModelCall, provider: ProviderId): JsonObject {
  const request = call.request();
  const { hasSampling } = findCallTraits(call, provider);
  if (request.sampling) {
    const message = 'penalties, seed and top_k cannot be combined with these tools at this provider';
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'tools', message }] });
  }
  const body: JsonObject = {
    model: call.upstreamModel,
    input: openAiMessages(request).flatMap((message) => inputItems(message, provider, call.upstreamModel)),
    max_output_tokens: call.maxOutputTokens,
    store: false,
  };
  if (call.isStream) body.stream = true;
  if (hasSampling && request.temperature !== undefined) body.temperature = request.temperature;
  if (hasSampling && request.topP !== undefined) body.top_p = request.topP;
  if (request.reasoningEffort !== undefined) body.reasoning = { effort: request.reasoningEffort };
  addTools(body, request, provider);
  const format = textFormat(request, provider);
  if (format) body.text = { format };
  return body;
}

function inputItems(message: ModelMessage, provider: ProviderId, upstreamModel: string): unknown[] {
  const { continuation } = message;
  if (continuation?.provider === provider && continuation.upstreamModel === upstreamModel) {
    return continuation.content as unknown[];
  }
  switch (message.role) {
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.toolCallId, output: messageText(message) }];
    case 'system':
      return [{ role: 'system', content: messageText(message) }];
    case 'user':
      return [{ role: 'user', content: message.content.map(inputPart) }];
    case 'assistant': {
      const text = messageText(message);
      const calls = message.toolCalls.map((call) => ({
        type: 'function_call',
        call_id: call.id,
        name: toolName(call.function?.name ?? call.type),
        arguments: toolArgumentsText(call),
      }));
      return text === '' ? calls : [{ role: 'assistant', content: text }, ...calls];
    }
  }
}

function inputPart(part: ModelPart): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  return part.type === 'file' ? inputFile(part.file) : { type: 'input_image', image_url: part.url, detail: 'auto' };
}

function inputFile(file: FilePart['file']): JsonObject {
  const mime = toFileType(file);
  const dataUrl = `data:${mime};base64,${file.data_base64}`;
  if (mime.startsWith('image/')) return { type: 'input_image', image_url: dataUrl, detail: 'auto' };
  if (mime.startsWith('audio/') || mime.startsWith('video/')) {
    throw new AppError(
      'MODEL_CAPABILITY_UNSUPPORTED',
      `files of type ${mime} are not supported by this provider with these tools`,
    );
  }
  return { type: 'input_file', filename: file.filename ?? 'file', file_data: dataUrl };
}

function addTools(body: JsonObject, request: ModelRequest, provider: ProviderId): void {
  const own = request.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name: toolName(name),
    ...(description === undefined ? {} : { description }),
    parameters: toParameters(parameters),
    strict: false,
  }));
  body.tools = [...own, ...(request.providerTools ?? []).map((tool) => providerTool(tool, provider))];
  // Nothing is stored at the vendor, so the answer must include its reasoning for the next call.
  if (own.length > 0 && request.reasoningEffort !== undefined && request.reasoningEffort !== 'none') {
    body.include = [ENCRYPTED_REASONING];
  }
  // xAI has no such bound.
  const searches = request.providerTools?.some(({ type }) => type === 'web') ?? false;
  if (searches && provider === 'openai') body.max_tool_calls = PROVIDER_SEARCHES_MAX;
  if (request.parallelToolCalls !== undefined) body.parallel_tool_calls = request.parallelToolCalls;
  const { toolChoice: choice } = request;
  if (!choice) return;
  const isNamed = choice.type !== 'none' && choice.function !== undefined;
  body.tool_choice = isNamed ? { type: 'function', name: toolName(choice.function!) } : choice.type;
}

/** Converts a tool's options to the names of each vendor. */
function providerTool({ type, options }: ProviderTool, provider: ProviderId): JsonObject {
  const isXai = provider === 'xai';
  switch (type) {
    case 'code_execution':
      return isXai ? { type: 'code_interpreter' } : { type: 'code_interpreter', container: { type: 'auto' } };
    case 'x_search':
      return {
        type: 'x_search',
        ...pick(options, ['allowed_x_handles', 'excluded_x_handles', 'from_date', 'to_date']),
      };
    case 'web': {
      const { allowed_domains: allowed, blocked_domains: blocked } = options;
      if (isXai) return { type: 'web_search', ...present({ allowed_domains: allowed, excluded_domains: blocked }) };
      const filters = present({ allowed_domains: allowed, blocked_domains: blocked });
      const location = pick(options, ['user_location']);
      return { type: 'web_search', ...(Object.keys(filters).length > 0 ? { filters } : {}), ...location };
    }
  }
}

function pick(options: Readonly<JsonObject>, names: readonly string[]): JsonObject {
  return present(Object.fromEntries(names.map((name) => [name, options[name]])));
}

function present(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function textFormat({ outputFormat }: ModelRequest, provider: ProviderId): JsonObject | undefined {
  if (!outputFormat || outputFormat.type === 'text') return undefined;
  if (outputFormat.type === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', ...toJsonSchemaFormat(outputFormat.json_schema!, provider) };
}
