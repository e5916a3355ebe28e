import {
  type CompatibleResponsesBody,
  inputOfCompatibleResponses,
  isResponsesCall,
  isResponsesOutput,
  isUnread,
  isWebSearch,
  listResponsesTools,
  type NamedTool,
  outputContent,
  type ResponsesCall,
  type ResponsesContentPart,
  type ResponsesOutput,
  toConversationId,
  toFunctionCall,
} from '@tollgate/api/compatible';
import type { ToolCall } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelPart, ModelRequest } from '../../domain/model-request.js';
import { listCommon, listServiceTier, type RequestedParameter } from '../../domain/optional-parameters.js';
import { fileFromDataUrl, imageFromUrl, joinTexts, textParts } from '../content-parts.js';
import type { AnswerState, Capability, Dialect } from '../dialect.js';
import { listUnknown } from '../known-members.js';
import { toReasoningEffort } from '../reasoning-effort.js';
import { isRefusedName, vendorOnly } from '../refused.js';
import { declareTools, providerTools } from './declared-tools.js';
import { responseAnswer, withUsage } from './responses-answer.js';
import { ResponsesStreamWriter } from './responses-stream-writer.js';

/** Events that have the whole response so far. */
const withResponse = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.completed',
  'response.incomplete',
]);

/** Providers are asked without state, so the answers that they write say that nothing is stored. */
const responseState: AnswerState<CompatibleResponsesBody> = {
  isIn: ({ event }) => event !== undefined && withResponse.has(event),
  write(json, isEvent, body, { isStored, isInConversation, backgroundId }) {
    const whole = JSON.parse(json) as JsonObject;
    const { conversation: _planned, ...response } = (isEvent ? whole.response : whole) as JsonObject;
    const answer = {
      ...response,
      ...(backgroundId && { id: backgroundId, background: true }),
      previous_response_id: body.previous_response_id ?? null,
      ...(isInConversation && { conversation: { id: toConversationId(body) } }),
      store: isStored,
    };
    return { json: JSON.stringify(isEvent ? { ...whole, response: answer } : answer), answer };
  },
  continues: ({ previous_response_id: previous, conversation }) => Boolean(previous || conversation),
  input: ({ input }) => input,
};

/** `POST /v1/responses`. */
export const responsesDialect: Dialect<CompatibleResponsesBody> = {
  forwardable: 'openai-responses',
  canForward: (body) => !listResponsesTools(body).some(hasRefusedName),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ reasoning }) => reasoning?.effort === 'none',
  input: inputOfCompatibleResponses,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: responseAnswer,
  withUsage,
  state: responseState,
  openStream: (info, body) => new ResponsesStreamWriter(info, body),
};

function hasRefusedName({ tool, namespace }: NamedTool): boolean {
  const names = [(tool as { name?: unknown }).name, namespace?.name];
  return names.some((name) => typeof name === 'string' && isRefusedName(name));
}

/** Returns the capabilities that the body needs of its model. */
function findCapabilities(body: CompatibleResponsesBody): Capability[] {
  const needed = new Set<Capability>();
  if (typeof body.input !== 'string') {
    for (const item of body.input) {
      if (isResponsesOutput(item)) addOfContent(outputContent(item), needed);
      else if (item.type === undefined || item.type === 'message') addOfContent(item.content, needed);
    }
  }
  for (const { tool } of listResponsesTools(body)) needed.add(isWebSearch(tool) ? 'web_search' : 'tool_use');
  if (body.text?.format && body.text.format.type !== 'text') needed.add('structured_output');
  return [...needed];
}

function addOfContent(content: string | readonly ResponsesContentPart[], needed: Set<Capability>): void {
  if (typeof content === 'string') return;
  for (const part of content) {
    if (part.type === 'input_image') needed.add('vision');
    else if (part.type === 'input_file') needed.add('document');
  }
}

type Items = Exclude<CompatibleResponsesBody['input'], string>;
type Content = string | readonly ResponsesContentPart[];

/** Converts a body of /v1/responses. @throws AppError for parts that cannot be converted */
function toModelRequest(body: CompatibleResponsesBody): ModelRequest {
  refuseLogprobs(body);
  const searches = providerTools(body);
  return {
    messages: toMessages(body),
    tools: offeredTools(body),
    toolChoice: toToolChoice(body),
    outputFormat: toOutputFormat(body.text?.format),
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    stop: [],
    reasoningEffort: toReasoningEffort(body.reasoning?.effort, 'reasoning.effort'),
    ...(searches.length > 0 ? { providerTools: searches } : {}),
    ...(body.parallel_tool_calls === false ? { parallelToolCalls: false } : {}),
  };
}

/** Returns the optional parameters that the body sets. */
function findParameters(body: CompatibleResponsesBody): RequestedParameter[] {
  const { temperature, top_p: topP, text } = body;
  const jsonField = text?.format?.type === 'json_object' ? 'text.format' : undefined;
  const tier = listServiceTier('service_tier', body.service_tier);
  return [...tier, ...listCommon({ temperature, topP, jsonField }), ...listUnknown('responses', body)];
}

function refuseLogprobs({ include, top_logprobs: top }: CompatibleResponsesBody): void {
  const why = 'log probabilities are not supported by this model';
  if (include?.includes('message.output_text.logprobs')) throw vendorOnly('include', why);
  if (top) throw vendorOnly('top_logprobs', why);
}

function toMessages({ instructions, input }: CompatibleResponsesBody): ModelMessage[] {
  const messages: ModelMessage[] = instructions ? [message('system', textParts(instructions))] : [];
  if (typeof input === 'string') messages.push(message('user', textParts(input)));
  else addItems(input, messages);
  return messages;
}

/**
 * Merges calls that follow an assistant's message into it. Puts files into a user message after the last tool output: not
 * every provider accepts files as tool output, or anything between the outputs of one turn.
 */
function addItems(items: Items, messages: ModelMessage[]): void {
  let isAssistantOpen = false;
  let files: ModelPart[] = [];
  for (const [position, item] of items.entries()) {
    if (isUnread(item)) continue;
    if (isResponsesOutput(item)) {
      const parts = toParts(outputContent(item), `input[${position}].output`);
      const texts = joinTexts(parts.filter(({ type }) => type === 'text'));
      messages.push({ ...message('tool', texts), toolCallId: findCallId(item, items) });
      files.push(...parts.filter(({ type }) => type !== 'text'));
      isAssistantOpen = false;
      continue;
    }
    if (files.length > 0) messages.push(message('user', files));
    files = [];
    if (isResponsesCall(item)) {
      const last = isAssistantOpen ? messages.pop()! : message('assistant', []);
      messages.push({ ...last, toolCalls: [...last.toolCalls, toToolCall(item)] });
      isAssistantOpen = true;
    } else if (item.type === undefined || item.type === 'message') {
      const role = item.role === 'developer' ? 'system' : item.role;
      messages.push(message(role, toParts(item.content, `input[${position}].content`)));
      isAssistantOpen = role === 'assistant';
    } else {
      throw vendorOnly(`input[${position}].type`, `this model does not support items of type ${item.type}`);
    }
  }
  if (files.length > 0) messages.push(message('user', files));
}

function toToolCall(call: ResponsesCall): ToolCall {
  return { id: call.call_id ?? '', type: 'function', function: toFunctionCall(call) };
}

/** Returns the call that an output belongs to. The output of a local shell may name the call by the id of its item. */
function findCallId(output: ResponsesOutput, items: Items): string {
  if (output.call_id) return output.call_id;
  const { id } = output;
  const call = items.find((item) => item.type === 'local_shell_call' && item.id === id);
  return call?.type === 'local_shell_call' ? call.call_id : typeof id === 'string' ? id : '';
}

function message(role: ModelMessage['role'], content: readonly ModelPart[]): ModelMessage {
  return { role, content, toolCalls: [], toolCallId: undefined };
}

function toParts(content: Content, field: string): ModelPart[] {
  return typeof content === 'string'
    ? textParts(content)
    : joinTexts(content.map((part, i) => toPart(part, `${field}[${i}]`)));
}

function toPart(part: ResponsesContentPart, field: string): ModelPart {
  switch (part.type) {
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'input_image':
      return imageFromUrl(part.image_url, `${field}.image_url`);
    case 'input_file':
      return fileFromDataUrl(part.file_data, part.filename ?? undefined, `${field}.file_data`);
    default:
      return { type: 'text', text: part.text };
  }
}

function offeredTools(body: CompatibleResponsesBody): FunctionTool[] {
  const declared = [...declareTools(body).values()];
  const choice = body.tool_choice;
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return declared.map(({ offered }) => offered);
  const isAllowed = ({ name, namespace }: (typeof declared)[number]): boolean =>
    choice.tools.some((tool) => (tool.name ?? tool.type) === (tool.type === 'namespace' ? namespace : name));
  return declared.filter(isAllowed).map(({ offered }) => offered);
}

/** @throws AppError for a tool that runs at the vendor */
function toToolChoice(body: CompatibleResponsesBody): ModelRequest['toolChoice'] {
  const { tool_choice: choice } = body;
  if (!choice) return undefined;
  if (typeof choice === 'string') return { type: choice };
  if (choice.type === 'allowed_tools') return { type: choice.mode };
  const wanted = choice.name ?? choice.type;
  for (const { name, offered } of declareTools(body).values()) {
    if (name === wanted) return { type: 'required', function: offered.name };
  }
  throw vendorOnly('tool_choice', `this model cannot be forced to use ${choice.type}`);
}

function toOutputFormat(format: NonNullable<CompatibleResponsesBody['text']>['format']): ModelRequest['outputFormat'] {
  if (!format) return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      schema: strict === false ? schema : closeSchema(schema, 'text.format.schema'),
      ...(description ? { description } : {}),
      ...(strict === undefined || strict === null ? {} : { strict }),
    },
  };
}
