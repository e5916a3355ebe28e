import { offeredFunction, toolDefinition } from '@tollgate/tools';
import type { ChatCompletionsBody, ChatContentPart, ChatMessage } from '../compatible/chat.js';
import type { InputMessage, ResponsesBody, Tool } from './responses.js';

/** The parts of a request that a model reads: the input of token estimates. */
export interface RequestInput {
  /** Text of each message with its tool calls. */
  messages: string[];
  /** Tool definitions and the output schema as JSON; absent without any. */
  extras?: string[];
  /** Attached files with their decoded size; absent without any. */
  files?: { mimeType: string; bytes: number }[];
  /** Encrypted or signed reasoning of earlier answers, which only its vendor reads again; absent without any. */
  sealedBytes?: number;
  /** Tools that the vendor runs on its side; absent without any. */
  providerTools?: ('search' | 'code_run' | 'fetch')[];
  /** The vendor is asked to cache the prompt for an hour, which costs more than the input; absent if not. */
  cachesForHour?: true;
  /** The service tier that is asked for, by the vendor's name; absent: the vendor's choice. */
  serviceTier?: string;
}

/** Converts the input of a /responses body. */
export function inputOfResponses(body: ResponsesBody): RequestInput {
  const input: RequestInput = { messages: [] };
  for (const message of body.input) input.messages.push(nativeText(message, input));
  for (const tool of body.tools ?? []) addTool(input, tool);
  if (body.output_format?.json_schema) addExtra(input, body.output_format.json_schema);
  return input;
}

/** Converts the input of a chat-completions body. */
export function inputOfChat(body: ChatCompletionsBody): RequestInput {
  const input: RequestInput = { messages: [] };
  for (const message of body.messages) input.messages.push(chatText(message, input));
  for (const tool of body.tools ?? []) addExtra(input, tool);
  if (body.response_format?.type === 'json_schema') addExtra(input, body.response_format.json_schema);
  if (typeof body.service_tier === 'string') input.serviceTier = body.service_tier;
  return input;
}

/** Server-side tools are offered with descriptions and schemas that their clients need not write. */
function asOffered(tool: Tool): object {
  if (tool.type === 'image_generation') return toolDefinition('image_generation');
  return tool.function ? { ...tool, function: offeredFunction(tool.function) } : tool;
}

function nativeText(message: InputMessage, input: RequestInput): string {
  let text = '';
  for (const part of message.content ?? []) {
    if (part.type === 'text') text += part.text;
    else addFile(input, part.file.mime_type, decodedBytes(part.file.data_base64.length));
  }
  for (const { function: fn } of message.tool_calls ?? []) text += fn ? fn.name + fn.arguments : '';
  return text;
}

function chatText(message: ChatMessage, input: RequestInput): string {
  const { content } = message;
  let text = '';
  if (typeof content === 'string') text = content;
  else for (const part of content ?? []) text += chatPartText(part, input);
  if (message.role === 'assistant') {
    text += message.refusal ?? '';
    addReasoning(message, input);
    for (const call of message.tool_calls ?? []) text += call.function.name + call.function.arguments;
  }
  return text;
}

/** Servers that return a model's reasoning read it again under either of these names; others ignore it. */
function addReasoning({ reasoning_content: content, reasoning }: Record<string, unknown>, input: RequestInput): void {
  for (const part of [content, reasoning]) {
    if (typeof part === 'string') input.sealedBytes = (input.sealedBytes ?? 0) + Buffer.byteLength(part);
  }
}

function chatPartText(part: ChatContentPart, input: RequestInput): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'refusal':
      return part.refusal;
    case 'image_url':
      addFile(input, 'image/*', decodedBytes(part.image_url.url.length));
      return '';
    case 'input_audio':
      addFile(input, `audio/${part.input_audio.format}`, decodedBytes(part.input_audio.data.length));
      return '';
    case 'file':
      addFile(input, 'application/octet-stream', decodedBytes(part.file.file_data?.length ?? 0));
      return '';
  }
}

function addTool(input: RequestInput, tool: Tool): void {
  addExtra(input, asOffered(tool));
  if (tool.type === 'web' || tool.type === 'x_search') addProviderTool(input, 'search');
  if (tool.type === 'code_execution') addProviderTool(input, 'code_run');
}

function addProviderTool(input: RequestInput, kind: 'search' | 'code_run'): void {
  if (input.providerTools) input.providerTools.push(kind);
  else input.providerTools = [kind];
}

function addExtra(input: RequestInput, value: object): void {
  const text = JSON.stringify(value);
  if (input.extras) input.extras.push(text);
  else input.extras = [text];
}

function addFile(input: RequestInput, mimeType: string, bytes: number): void {
  const file = { mimeType, bytes };
  if (input.files) input.files.push(file);
  else input.files = [file];
}

function decodedBytes(base64Chars: number): number {
  return Math.ceil((base64Chars * 3) / 4);
}
