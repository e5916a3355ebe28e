import {
  type InputMessage,
  inputOfResponses,
  type ProviderId,
  type ResponsesBody,
  type Tool,
} from '@tollgate/api/model-requests';
import { offeredFunction, toolDefinition, underscoredToolName } from '@tollgate/tools';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelRequest, ProviderTool } from '../../domain/model-request.js';
import { listCommon, type RequestedParameter } from '../../domain/optional-parameters.js';
import { declareTool, type StorageContext, type TurnTools } from '../../domain/turn-tools.js';
import type { Capability, Dialect } from '../dialect.js';
import { IMAGE_TOOL, NativeStream, nativeAnswer } from './native-answer.js';
import { NativeStructuredStream } from './native-structured-stream.js';

/** `POST /responses`. */
export const nativeDialect: Dialect<ResponsesBody> = {
  forwardable: undefined,
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ reasoning_effort: effort }) => effort === 'none',
  input: inputOfResponses,
  tools: toTurnTools,
  storage: toStorage,
  onlyProvider: findOnlyProvider,
  modelName: (_body, modelId) => modelId,
  writeAnswer: nativeAnswer,
  openStream: (info, { output_format: format }) =>
    format && format.type !== 'text' ? new NativeStructuredStream(info) : new NativeStream(info),
};

const SCHEMA_PATH = 'output_format.json_schema.schema';

/** Converts a body of /responses. */
function toModelRequest(body: ResponsesBody): ModelRequest {
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
function findParameters({ temperature, output_format: format }: ResponsesBody): RequestedParameter[] {
  const jsonField = format?.type === 'json_object' ? 'output_format.type' : undefined;
  return listCommon({ temperature, jsonField });
}

/** Returns the capabilities that the body needs of its model. */
function findCapabilities(body: ResponsesBody): Capability[] {
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

/** Returns the tools that the model may call. Fills in the members of server-side tools that the client left out. */
function functionTools(body: ResponsesBody): FunctionTool[] {
  const tools: FunctionTool[] = [];
  for (const { type, function: fn } of body.tools ?? []) {
    if (type === 'image_generation') tools.push(toolDefinition('image_generation'));
    if (type !== 'function' || !fn) continue;
    const { name, description, parameters } = offeredFunction(fn);
    tools.push({ name, description, parameters });
  }
  return tools;
}

/** Tools that run at the provider. */
function providerTools(body: ResponsesBody): ProviderTool[] {
  const tools: ProviderTool[] = [];
  for (const tool of body.tools ?? []) {
    const { type } = tool;
    if (type === 'web' || type === 'x_search' || type === 'code_execution') {
      tools.push({ type, options: tool[type] ?? {} });
    }
  }
  return tools;
}

/** Returns the tool choice in the spelling of the tool's declaration. */
function toToolChoice({ tool_choice: choice, tools }: ResponsesBody): ResponsesBody['tool_choice'] {
  if (!choice?.function) return choice;
  const wanted = underscoredToolName(choice.function);
  const declared = tools?.find(({ function: fn }) => fn && underscoredToolName(fn.name) === wanted);
  return { ...choice, function: declared?.function?.name ?? wanted };
}

/** Returns the tools that the service may have to run between model calls; undefined if no tool may be called. */
function toTurnTools(body: ResponsesBody): TurnTools | undefined {
  if (!body.tools || body.tool_choice?.type === 'none') return undefined;
  const declared = new Map(body.tools.flatMap(toDeclaration));
  const mayPause = providerTools(body).length > 0;
  if (declared.size === 0 && !mayPause) return undefined;
  const image = body.tools.find(({ type }) => type === 'image_generation');
  const imageModel = image?.image_generation?.model;
  return { declared, mayPause, imageModel, maxOutputTokens: body.max_output_tokens };
}

function toStorage({ state_id: stateId, session_id: sessionId }: ResponsesBody): StorageContext {
  return { stateId, sessionId };
}

/** Returns xAI if the request searches X, which only xAI supports. */
function findOnlyProvider(body: ResponsesBody): ProviderId | undefined {
  return body.tools?.some(({ type }) => type === 'x_search') ? 'xai' : undefined;
}

function capabilityOfTool({ type }: Tool): Capability | undefined {
  switch (type) {
    case 'web':
      return 'web_search';
    case 'code_execution':
      return 'code_execution';
    case 'x_search':
      return undefined;
    default:
      return 'tool_use';
  }
}

function toDeclaration({ type, function: fn }: Tool): [ReturnType<typeof declareTool>] | [] {
  if (type === 'image_generation') return [declareTool(IMAGE_TOOL, undefined)];
  return type === 'function' && fn ? [declareTool(fn.name, fn.parameters)] : [];
}
