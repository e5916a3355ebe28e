import {
  type CompatibleResponsesBody,
  isResponsesCall,
  isResponsesOutput,
  isUnread,
  outputContent,
  type ResponsesCall,
  type ResponsesContentPart,
  type ResponsesOutput,
  toFunctionCall,
} from '@tollgate/api/compatible';
import type { ToolCall } from '@tollgate/api/model-requests';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelPart, ModelRequest } from '../../domain/model-request.js';
import { listCommon, listServiceTier, type RequestedParameter } from '../../domain/optional-parameters.js';
import { fileFromDataUrl, imageFromUrl } from '../data-url.js';
import { listUnknown } from '../known-members.js';
import { toReasoningEffort } from '../reasoning-effort.js';
import { vendorOnly } from '../refused.js';
import { joinTexts, textParts } from '../text-parts.js';
import { declareTools, providerTools } from './declared-tools.js';

type Items = Exclude<CompatibleResponsesBody['input'], string>;
type Content = string | readonly ResponsesContentPart[];

/** Converts a body of /v1/responses. @throws AppError for parts that cannot be converted */
export function toModelRequest(body: CompatibleResponsesBody): ModelRequest {
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
export function findParameters(body: CompatibleResponsesBody): RequestedParameter[] {
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
