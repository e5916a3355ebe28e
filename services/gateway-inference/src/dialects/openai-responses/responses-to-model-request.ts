import type { CompatibleResponsesBody, ContentPart, ResponsesContentPart, ToolCall } from '@tollgate/api';
import { closeSchema } from '../../domain/closed-schema.js';
import type { FunctionTool, ModelMessage, ModelRequest } from '../../domain/model-request.js';
import { fileFromDataUrl } from '../data-url.js';
import { toReasoningEffort } from '../reasoning-effort.js';
import { joinTexts, textParts } from '../text-parts.js';

type Items = Exclude<CompatibleResponsesBody['input'], string>;
type Content = string | readonly ResponsesContentPart[];

/** Body of /v1/responses → our words. @throws AppError VALIDATION_ERROR for what cannot be put into them. */
export function toModelRequest(body: CompatibleResponsesBody): ModelRequest {
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

function toMessages({ instructions, input }: CompatibleResponsesBody): ModelMessage[] {
  const messages: ModelMessage[] = instructions ? [message('system', textParts(instructions))] : [];
  if (typeof input === 'string') messages.push(message('user', textParts(input)));
  else addItems(input, messages);
  return messages;
}

/** Calls that follow an assistant's message belong to it. */
function addItems(items: Items, messages: ModelMessage[]): void {
  let isAssistantOpen = false;
  for (const [position, item] of items.entries()) {
    switch (item.type) {
      case 'reasoning':
        break;
      case 'function_call': {
        const { call_id: id, name, arguments: text } = item;
        const call: ToolCall = { id, type: 'function', function: { name, arguments: text } };
        const last = isAssistantOpen ? messages.pop()! : message('assistant', []);
        messages.push({ ...last, toolCalls: [...last.toolCalls, call] });
        isAssistantOpen = true;
        break;
      }
      case 'function_call_output':
        messages.push(...toolOutput(item.call_id, toParts(item.output, `input[${position}].output`)));
        isAssistantOpen = false;
        break;
      default: {
        const role = item.role === 'developer' ? 'system' : item.role;
        messages.push(message(role, toParts(item.content, `input[${position}].content`)));
        isAssistantOpen = role === 'assistant';
      }
    }
  }
}

/** Not every provider takes files as a tool's output, so they follow as a message of the user. */
function toolOutput(callId: string, parts: readonly ContentPart[]): ModelMessage[] {
  const texts = parts.filter(({ type }) => type === 'text');
  const files = parts.filter(({ type }) => type === 'file');
  const output = { ...message('tool', joinTexts(texts)), toolCallId: callId };
  return files.length === 0 ? [output] : [output, message('user', files)];
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
      schema: closeSchema(schema, 'text.format.schema'),
      ...(description ? { description } : {}),
      ...(strict === undefined || strict === null ? {} : { strict }),
    },
  };
}
