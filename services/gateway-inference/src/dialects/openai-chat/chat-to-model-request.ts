import type { ChatCompletionsBody, ChatContentPart, ChatMessage, ContentPart, FilePart } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { closeSchema } from '../../domain/closed-schema.js';
import type { ModelMessage, ModelRequest } from '../../domain/model-request.js';

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
    messages: body.messages.map(toMessage),
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
    reasoningEffort: toReasoningEffort(body.reasoning_effort),
  };
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

function textParts(text: string): ContentPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function toPart(part: ChatContentPart, field: string): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'image_url':
      return fromDataUrl(part.image_url.url, undefined, field);
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return {
        type: 'file',
        file: { data_base64: data, mime_type: format === 'mp3' ? 'audio/mpeg' : `audio/${format}` },
      };
    }
    case 'file':
      if (!part.file.file_data) throw refused(field, 'files have to be sent as file_data for this model');
      return fromDataUrl(part.file.file_data, part.file.filename, field);
  }
}

function fromDataUrl(url: string, filename: string | undefined, field: string): FilePart {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]+);base64$/.exec(url.slice(0, comma === -1 ? 0 : comma));
  if (!head) throw refused(field, 'this model takes files as data: URLs with base64 only');
  const file = { data_base64: url.slice(comma + 1), mime_type: head[1]! };
  return { type: 'file', file: filename === undefined ? file : { ...file, filename } };
}

function toToolChoice(choice: ChatCompletionsBody['tool_choice']): ModelRequest['toolChoice'] {
  if (choice === undefined) return undefined;
  return typeof choice === 'string' ? { type: choice } : { type: 'required', function: choice.function.name };
}

function toOutputFormat(format: ChatCompletionsBody['response_format']): ModelRequest['outputFormat'] {
  if (format?.type !== 'json_schema') return format && { type: format.type };
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

/** The dialect knows finer steps than we do; the nearest of ours stands for each. */
function toReasoningEffort(effort: string | null | undefined): ModelRequest['reasoningEffort'] {
  switch (effort) {
    case null:
    case undefined:
      return undefined;
    case 'none':
    case 'low':
    case 'medium':
    case 'high':
      return effort;
    case 'minimal':
      return 'low';
    case 'xhigh':
      return 'high';
    default:
      throw refused('reasoning_effort', 'must be one of none, minimal, low, medium, high, xhigh');
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function refused(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
