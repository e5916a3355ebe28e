import type { InputMessage, ResponsesBody } from '@tollgate/api/model-requests';
import { closeSchema } from '../../domain/closed-schema.js';
import type { ModelMessage, ModelRequest } from '../../domain/model-request.js';
import { listCommon, type RequestedParameter } from '../../domain/optional-parameters.js';
import type { Capability } from '../dialect.js';
import { capabilityOfTool, functionTools, providerTools, toToolChoice } from './native-tools.js';

const SCHEMA_PATH = 'output_format.json_schema.schema';

/** Converts a body of /responses. */
export function toModelRequest(body: ResponsesBody): ModelRequest {
  return {
    messages: body.input.map(toMessage),
    tools: functionTools(body),
    toolChoice: toToolChoice(body),
    outputFormat: toOutputFormat(body.output_format),
    temperature: body.temperature,
    topP: undefined,
    stop: body.stop ?? [],
    reasoningEffort: body.reasoning_effort,
    providerTools: providerTools(body),
  };
}

/** Returns the optional parameters that the body sets. */
export function findParameters({ temperature, output_format: format }: ResponsesBody): RequestedParameter[] {
  const jsonField = format?.type === 'json_object' ? 'output_format.type' : undefined;
  return listCommon({ temperature, jsonField });
}

/** Returns the capabilities that the body needs of its model. */
export function findCapabilities(body: ResponsesBody): Capability[] {
  const needed = new Set<Capability>();
  for (const message of body.input) {
    for (const part of message.content ?? []) {
      if (part.type === 'file') needed.add(fileCapability(part.file.mime_type));
    }
  }
  for (const tool of body.tools ?? []) {
    const capability = capabilityOfTool(tool);
    if (capability) needed.add(capability);
  }
  if (body.output_format && body.output_format.type !== 'text') needed.add('structured_output');
  return [...needed];
}

export function fileCapability(mimeType: string): Capability {
  const type = mimeType.toLowerCase();
  if (type.startsWith('image/')) return 'vision';
  return type.startsWith('audio/') ? 'audio' : 'document';
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
