import type { ChatCompletionsBody, ChatContentPart, ChatMessage, ContentPart } from '@tollgate/api';
import { closeSchema } from '../../domain/closed-schema.js';
import type { ModelMessage, ModelRequest } from '../../domain/model-request.js';
import { fileFromDataUrl } from '../data-url.js';
import { toReasoningEffort } from '../reasoning-effort.js';
import { refused } from '../refused.js';
import { textParts } from '../text-parts.js';

/** Parts of the dialect that only a provider which speaks it itself can honour, and the value that asks for nothing. */
const forwardOnly: Record<string, (value: unknown) => boolean> = {
  functions: isSet,
  function_call: isSet,
  logprobs: (value) => value === true,
  prediction: isSet,
};

/** Body of /v1/chat/completions → our words. @throws AppError VALIDATION_ERROR for what only OpenAI's own wire has. */
export function toModelRequest(body: ChatCompletionsBody): ModelRequest {
  for (const [field, asksForIt] of Object.entries(forwardOnly)) {
    if (asksForIt(body[field])) throw refused(field, `${field} is not supported for this model`);
  }
  return {
    messages: toModelMessages(body.messages),
    tools: (body.tools ?? []).map(({ function: fn }) => ({
      name: fn.name,
      description: fn.description ?? undefined,
      parameters: fn.parameters ?? undefined,
    })),
    toolChoice: toToolChoice(body.tool_choice),
    outputFormat: toOutputFormat(body.response_format),
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    reasoningEffort: toReasoningEffort(body.reasoning_effort, 'reasoning_effort'),
    ...(body.parallel_tool_calls === false ? { parallelToolCalls: false } : {}),
  };
}

/** Messages of this dialect in our words. @throws AppError VALIDATION_ERROR for files of another form than base64 */
export function toModelMessages(messages: readonly ChatMessage[]): ModelMessage[] {
  return messages.map(toMessage);
}

function toMessage(message: ChatMessage, position: number): ModelMessage {
  const field = `messages[${position}].content`;
  const content = message.content ?? [];
  return {
    role: message.role === 'developer' ? 'system' : message.role,
    content: typeof content === 'string' ? textParts(content) : content.map((part) => toPart(part, field)),
    toolCalls: message.role === 'assistant' ? (message.tool_calls ?? []).map(toToolCall) : [],
    toolCallId: message.role === 'tool' ? message.tool_call_id : undefined,
  };
}

function toToolCall(call: { id: string; function: { name: string; arguments: string } }) {
  const { name, arguments: text } = call.function;
  return { id: call.id, type: 'function' as const, function: { name, arguments: text } };
}

function toPart(part: ChatContentPart, field: string): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'image_url':
      return fileFromDataUrl(part.image_url.url, undefined, field);
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return {
        type: 'file',
        file: { data_base64: data, mime_type: format === 'mp3' ? 'audio/mpeg' : `audio/${format}` },
      };
    }
    case 'file':
      if (!part.file.file_data) throw refused(field, 'files have to be sent as file_data for this model');
      return fileFromDataUrl(part.file.file_data, part.file.filename, field);
  }
}

function toToolChoice(choice: ChatCompletionsBody['tool_choice']): ModelRequest['toolChoice'] {
  if (!choice) return undefined;
  return typeof choice === 'string' ? { type: choice } : { type: 'required', function: choice.function.name };
}

function toOutputFormat(format: ChatCompletionsBody['response_format']): ModelRequest['outputFormat'] {
  if (!format) return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format.json_schema;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      schema: closeSchema(schema ?? { type: 'object' }, 'response_format.json_schema.schema'),
      ...(description === undefined ? {} : { description }),
      ...(strict === undefined || strict === null ? {} : { strict }),
    },
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
