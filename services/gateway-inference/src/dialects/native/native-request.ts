import type { InputMessage, ResponsesBody } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelRequest } from '../../domain/model-request.js';
import type { Capability } from '../dialect.js';

const SCHEMA_PATH = 'output_format.json_schema.schema';

/** Tools that run inside the service; a client declares them by name. */
const serverTools = new Set([
  'kv_write',
  'kv_read',
  'kv_list',
  'kv_delete',
  'tasks_write',
  'memory_write',
  'message_send',
  'message_inbox',
  'message_reply',
  'image_generation',
  'web_search',
  'web_fetch',
]);

/** Body of /responses → our words. */
export function toModelRequest(body: ResponsesBody): ModelRequest {
  return {
    messages: body.input.map(toMessage),
    tools: (body.tools ?? []).map(({ function: fn }): FunctionTool => {
      return { name: fn!.name, description: fn!.description, parameters: fn!.parameters };
    }),
    toolChoice: body.tool_choice,
    outputFormat: toOutputFormat(body.output_format),
    temperature: body.temperature,
    topP: undefined,
    stop: body.stop ?? [],
    reasoningEffort: body.reasoning_effort,
  };
}

/** Abilities the body needs. @throws AppError for parts of the contract that this service does not serve. */
export function capabilitiesOf(body: ResponsesBody, isStream: boolean): Capability[] {
  const needed = new Set<Capability>();
  for (const message of body.input) {
    for (const part of message.content ?? []) {
      if (part.type === 'file') needed.add(fileCapability(part.file.mime_type));
    }
  }
  for (const tool of body.tools ?? []) {
    const name = tool.function?.name;
    if (tool.type !== 'function') throw unsupported('tools', `tools of type ${tool.type}`);
    if (name && serverTools.has(name.replaceAll('.', '_'))) throw unsupported('tools', `the server-side tool ${name}`);
    needed.add('tool_use');
  }
  if (body.state_id) throw unsupported('state_id', 'a storage context');
  if (body.session_id) throw unsupported('session_id', 'a storage context');
  if (body.output_format && body.output_format.type !== 'text') {
    if (isStream) throw unsupported('output_format', 'streaming of structured output');
    needed.add('structured_output');
  }
  return [...needed];
}

export function fileCapability(mimeType: string): Capability {
  if (mimeType.startsWith('image/')) return 'vision';
  return mimeType.startsWith('audio/') ? 'audio' : 'document';
}

function toMessage(message: InputMessage): ModelMessage {
  return {
    role: message.role,
    content: message.content ?? [],
    toolCalls: message.tool_calls ?? [],
    toolCallId: message.tool_call_id,
  };
}

function toOutputFormat(format: ResponsesBody['output_format']): ResponsesBody['output_format'] {
  if (!format?.json_schema || format.type !== 'json_schema') return format;
  const schema = closeSchema(format.json_schema.schema, SCHEMA_PATH);
  return { ...format, json_schema: { ...format.json_schema, schema } };
}

function unsupported(field: string, what: string): AppError {
  const message = `${what} is not supported by this version of the service`;
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message: 'is not supported' }] });
}
