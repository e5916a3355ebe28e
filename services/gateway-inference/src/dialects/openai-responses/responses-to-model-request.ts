import type { CompatibleResponsesBody, ResponsesContentPart } from '@tollgate/api/compatible';
import type { ContentPart, ToolCall } from '@tollgate/api/model-requests';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelRequest } from '../../domain/model-request.js';
import { fileFromDataUrl } from '../data-url.js';
import { toReasoningEffort } from '../reasoning-effort.js';
import { vendorOnly } from '../refused.js';
import { joinTexts, textParts } from '../text-parts.js';

type Items = Exclude<CompatibleResponsesBody['input'], string>;
type FunctionCall = Extract<Items[number], { type: 'function_call' }>;
type Content = string | readonly ResponsesContentPart[];

/** Converts a body of /v1/responses. @throws AppError for parts that cannot be converted */
export function toModelRequest(body: CompatibleResponsesBody): ModelRequest {
  refuseLogprobs(body);
  return {
    messages: toMessages(body),
    tools: offeredTools(body),
    toolChoice: toToolChoice(body.tool_choice),
    outputFormat: toOutputFormat(body.text?.format),
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    stop: [],
    reasoningEffort: toReasoningEffort(body.reasoning?.effort, 'reasoning.effort'),
    ...(body.parallel_tool_calls === false ? { parallelToolCalls: false } : {}),
  };
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
  let files: ContentPart[] = [];
  for (const [position, item] of items.entries()) {
    if (item.type === 'reasoning') continue;
    if (item.type === 'function_call_output') {
      const parts = toParts(item.output, `input[${position}].output`);
      const texts = joinTexts(parts.filter(({ type }) => type === 'text'));
      messages.push({ ...message('tool', texts), toolCallId: item.call_id });
      files.push(...parts.filter(({ type }) => type === 'file'));
      isAssistantOpen = false;
      continue;
    }
    if (files.length > 0) messages.push(message('user', files));
    files = [];
    if (item.type === 'function_call') {
      const last = isAssistantOpen ? messages.pop()! : message('assistant', []);
      messages.push({ ...last, toolCalls: [...last.toolCalls, toToolCall(item)] });
      isAssistantOpen = true;
    } else {
      const role = item.role === 'developer' ? 'system' : item.role;
      messages.push(message(role, toParts(item.content, `input[${position}].content`)));
      isAssistantOpen = role === 'assistant';
    }
  }
  if (files.length > 0) messages.push(message('user', files));
}

function toToolCall({ call_id: id, name, arguments: text }: FunctionCall): ToolCall {
  return { id, type: 'function', function: { name, arguments: text } };
}

function message(role: ModelMessage['role'], content: readonly ContentPart[]): ModelMessage {
  return { role, content, toolCalls: [], toolCallId: undefined };
}

function toParts(content: Content, field: string): ContentPart[] {
  return typeof content === 'string' ? textParts(content) : joinTexts(content.map((part) => toPart(part, field)));
}

function toPart(part: ResponsesContentPart, field: string): ContentPart {
  switch (part.type) {
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'input_image':
      return fileFromDataUrl(part.image_url, undefined, field);
    case 'input_file':
      return fileFromDataUrl(part.file_data, part.filename ?? undefined, field);
    default:
      return { type: 'text', text: part.text };
  }
}

function offeredTools({ tools, tool_choice: choice }: CompatibleResponsesBody): FunctionTool[] {
  const isAllowed = allowedNames(choice);
  return (tools ?? [])
    .filter(({ name }) => isAllowed(name))
    .map(({ name, description, parameters }) => ({
      name,
      description: description ?? undefined,
      parameters: parameters ?? undefined,
    }));
}

function allowedNames(choice: CompatibleResponsesBody['tool_choice']): (name: string) => boolean {
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return () => true;
  const names = new Set(choice.tools.map(({ name }) => name));
  return (name) => names.has(name);
}

function toToolChoice(choice: CompatibleResponsesBody['tool_choice']): ModelRequest['toolChoice'] {
  if (!choice) return undefined;
  if (typeof choice === 'string') return { type: choice };
  return choice.type === 'function' ? { type: 'required', function: choice.name } : { type: choice.mode };
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
