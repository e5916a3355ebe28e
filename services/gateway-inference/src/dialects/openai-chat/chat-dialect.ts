import {
  type ChatCompletionsBody,
  type ChatContentPart,
  type ChatMessage,
  chatAllowedTools,
} from '@tollgate/api/compatible';
import { inputOfChat } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelPart, ModelRequest } from '../../domain/model-request.js';
import {
  isNotZero,
  isSet,
  listCommon,
  listServiceTier,
  type OptionalParameter,
  type RequestedParameter,
  toSampling,
} from '../../domain/optional-parameters.js';
import { fileFromDataUrl, imageFromUrl, textParts } from '../content-parts.js';
import type { Capability, Dialect } from '../dialect.js';
import { listUnknown } from '../known-members.js';
import { toReasoningEffort } from '../reasoning-effort.js';
import { isRefusedName } from '../refused.js';
import { ChatStreamWriter, chatAnswer, withUsage } from './chat-answer.js';

/** `POST /v1/chat/completions`. */
export const chatDialect: Dialect<ChatCompletionsBody> = {
  forwardable: 'openai-chat',
  canForward: ({ tools }) => !tools?.some(({ function: fn }) => isRefusedName(fn.name)),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ reasoning_effort: effort }) => effort === 'none',
  countStops: ({ stop }) => (Array.isArray(stop) ? stop.length : stop ? 1 : 0),
  answers: ({ n }) => n ?? 1,
  input: inputOfChat,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: chatAnswer,
  withUsage,
  openStream: (info, body) => new ChatStreamWriter(info, body.stream_options?.include_usage === true),
};

/** Options with separate prices at the provider, which neither the catalog nor the hold knows. */
const unpriced: Record<string, (value: unknown) => boolean> = {
  audio: isSet,
  // xAI's own.
  search_parameters: isSet,
  modalities: (value) => Array.isArray(value) && value.some((entry) => entry !== 'text'),
  web_search_options: isSet,
};

/** Returns the capabilities that the body needs of its model. @throws AppError for options whose cost is unknown */
export function findCapabilities(body: ChatCompletionsBody): Capability[] {
  refuseUnpricedOptions(body);
  const needed = new Set<Capability>();
  for (const { content } of body.messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type === 'image_url') needed.add('vision');
      else if (part.type === 'input_audio') needed.add('audio');
      else if (part.type === 'file') needed.add('document');
    }
  }
  if (body.tools && body.tools.length > 0) needed.add('tool_use');
  if (body.response_format && body.response_format.type !== 'text') needed.add('structured_output');
  return [...needed];
}

/** @throws AppError VALIDATION_ERROR for options that could not be charged correctly */
function refuseUnpricedOptions(body: ChatCompletionsBody): void {
  for (const [field, asksForIt] of Object.entries(unpriced)) {
    if (!asksForIt(body[field])) continue;
    const message = `${field} is not supported: it has no price in the catalog`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
  }
}

/** Optional parameters of this dialect, with the values that request something. */
const optional: Partial<Record<OptionalParameter, (value: unknown) => boolean>> = {
  frequency_penalty: isNotZero,
  logit_bias: (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  logprobs: (value) => value === true,
  n: (value) => typeof value === 'number' && value > 1,
  prediction: isSet,
  presence_penalty: isNotZero,
  seed: isSet,
  top_k: (value) => typeof value === 'number' && value > 0,
  top_logprobs: isNotZero,
};

/** Returns the optional parameters that the body sets. */
function findParameters(body: ChatCompletionsBody): RequestedParameter[] {
  const found: RequestedParameter[] = [];
  for (const [parameter, asksForIt] of Object.entries(optional) as [OptionalParameter, (value: unknown) => boolean][]) {
    const value = body[parameter];
    if (asksForIt(value)) found.push({ parameter, field: parameter, value });
  }
  const { temperature, top_p: topP, response_format: format } = body;
  const jsonField = format?.type === 'json_object' ? 'response_format' : undefined;
  const tier = listServiceTier('service_tier', body.service_tier);
  return [...found, ...tier, ...listCommon({ temperature, topP, jsonField }), ...listUnknown('chat', body)];
}

/** Converts a body of /v1/chat/completions. @throws AppError for parts that only OpenAI's wire format has */
function toModelRequest(body: ChatCompletionsBody): ModelRequest {
  return {
    messages: toModelMessages(body.messages),
    tools: offeredTools(body),
    toolChoice: toToolChoice(body.tool_choice),
    outputFormat: toOutputFormat(body.response_format),
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    reasoningEffort: toReasoningEffort(body.reasoning_effort, 'reasoning_effort'),
    ...(body.parallel_tool_calls === false ? { parallelToolCalls: false } : {}),
    ...toSampling(findParameters(body)),
  };
}

/** Converts messages of this dialect. @throws AppError VALIDATION_ERROR for files in a form that is not supported */
export function toModelMessages(messages: readonly ChatMessage[]): ModelMessage[] {
  return messages.map(toMessage);
}

function toMessage(message: ChatMessage, position: number): ModelMessage {
  const field = `messages[${position}].content`;
  const content = message.content ?? [];
  const parts =
    typeof content === 'string' ? textParts(content) : content.map((part, i) => toPart(part, `${field}[${i}]`));
  const refusal = message.role === 'assistant' ? textParts(message.refusal ?? '') : [];
  return {
    role: message.role === 'developer' ? 'system' : message.role,
    content: [...parts, ...refusal],
    toolCalls: message.role === 'assistant' ? (message.tool_calls ?? []).map(toToolCall) : [],
    toolCallId: message.role === 'tool' ? message.tool_call_id : undefined,
  };
}

function toToolCall(call: { id: string; function: { name: string; arguments: string } }) {
  const { name, arguments: text } = call.function;
  return { id: call.id, type: 'function' as const, function: { name, arguments: text } };
}

function toPart(part: ChatContentPart, field: string): ModelPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'image_url':
      return imageFromUrl(part.image_url.url, `${field}.image_url.url`);
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return {
        type: 'file',
        file: { data_base64: data, mime_type: format === 'mp3' ? 'audio/mpeg' : `audio/${format}` },
      };
    }
    case 'file':
      return fileFromDataUrl(part.file.file_data, part.file.filename, `${field}.file.file_data`);
  }
}

function offeredTools({ tools, tool_choice: choice }: ChatCompletionsBody): FunctionTool[] {
  const allowed = chatAllowedTools(choice);
  return (tools ?? [])
    .filter(({ function: fn }) => allowed === undefined || allowed.includes(fn.name))
    .map(({ function: fn }) => ({
      name: fn.name,
      description: fn.description ?? undefined,
      parameters: fn.parameters ?? undefined,
    }));
}

function toToolChoice(choice: ChatCompletionsBody['tool_choice']): ModelRequest['toolChoice'] {
  if (!choice) return undefined;
  if (typeof choice === 'string') return { type: choice };
  if (choice.type === 'allowed_tools') return { type: choice.allowed_tools.mode };
  return { type: 'required', function: choice.function.name };
}

function toOutputFormat(format: ChatCompletionsBody['response_format']): ModelRequest['outputFormat'] {
  if (!format) return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema: open = { type: 'object' }, strict } = format.json_schema;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      schema: strict === false ? open : closeSchema(open, 'response_format.json_schema.schema'),
      ...(description === undefined ? {} : { description }),
      ...(strict === undefined || strict === null ? {} : { strict }),
    },
  };
}
