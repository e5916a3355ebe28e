import type { RequestInput } from '../model-requests/request-input.js';
import { type CompatibleResponsesBody, listResponsesTools, type NamedTool } from './compatible-responses.js';
import type { ResponsesContentPart, ResponsesInputItem } from './compatible-responses-items.js';
import type { ResponsesTool } from './compatible-responses-tools.js';
import { countLinkedImages } from './vendor-parts.js';

type Asked = Pick<CompatibleResponsesBody, 'input' | 'instructions' | 'tools' | 'text'> &
  Partial<Pick<CompatibleResponsesBody, 'service_tier'>>;
type ItemOf<Type extends string> = Extract<ResponsesInputItem, { type?: Type }>;

export type ResponsesCall = ItemOf<'function_call' | 'custom_tool_call' | 'local_shell_call' | 'tool_search_call'>;
export type ResponsesOutput = ItemOf<
  'function_call_output' | 'custom_tool_call_output' | 'local_shell_call_output' | 'tool_search_output'
>;

/** The namespace of tools that are in none. */
const DEFAULT_NAMESPACE = 'functions';

/** Converts the input of a `/v1/responses` body. Calls that follow an assistant's message belong to it. */
export function inputOfCompatibleResponses(body: Asked): RequestInput {
  const input: RequestInput = { messages: [] };
  const { messages } = input;
  if (body.instructions) messages.push(body.instructions);
  if (typeof body.input === 'string') messages.push(body.input);
  else addItems(body.input, input);
  const extras = listDeclarations(body).map((tool) => JSON.stringify(tool));
  if (body.text?.format?.type === 'json_schema') extras.push(JSON.stringify(body.text.format));
  if (extras.length > 0) input.extras = extras;
  if (listResponsesTools(body).some(({ tool }) => isWebSearch(tool))) input.providerTools = ['search'];
  if (body.service_tier) input.serviceTier = body.service_tier;
  return input;
}

export function isWebSearch({ type }: ResponsesTool): boolean {
  return type === 'web_search' || type === 'web_search_2025_08_26';
}

function flatToolName(name: string, namespace: string | null | undefined): string {
  return namespace && namespace !== DEFAULT_NAMESPACE ? `${namespace}__${name}` : name;
}

/** Returns the one name by which providers without namespaces call a tool. */
export function calledName({ tool, namespace }: NamedTool): string {
  const isNamed = tool.type === 'function' || tool.type === 'custom';
  return isNamed ? flatToolName(tool.name, namespace?.name) : tool.type;
}

/** Whether the item is a call of a tool that the client runs. */
export function isResponsesCall(item: ResponsesInputItem): item is ResponsesCall {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
      return true;
    default:
      return false;
  }
}

/** Whether the item is the result of a call. */
export function isResponsesOutput(item: ResponsesInputItem): item is ResponsesOutput {
  switch (item.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'tool_search_output':
      return true;
    default:
      return false;
  }
}

/** A call as a function call: its name, and its arguments as JSON. */
export function toFunctionCall(call: ResponsesCall): { name: string; arguments: string } {
  switch (call.type) {
    case 'function_call':
      return { name: flatToolName(call.name, call.namespace), arguments: call.arguments };
    case 'custom_tool_call':
      return { name: flatToolName(call.name, call.namespace), arguments: JSON.stringify({ input: call.input }) };
    case 'local_shell_call':
      return { name: 'local_shell', arguments: JSON.stringify(call.action) };
    case 'tool_search_call':
      return { name: 'tool_search', arguments: toArguments(call.arguments) };
  }
}

/** The content of an output. A search for tools returns the names of those that it found. */
export function outputContent(item: ResponsesOutput): string | readonly ResponsesContentPart[] {
  if (item.type !== 'tool_search_output') return item.output;
  return JSON.stringify({ tools: listResponsesTools({ tools: item.tools, input: '' }).map(calledName) });
}

function toArguments(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

/** All declarations as the client wrote them. */
function listDeclarations({ tools, input }: Asked): ResponsesTool[] {
  const all = [...(tools ?? [])];
  if (typeof input === 'string') return all;
  for (const item of input) {
    if (item.type === 'additional_tools' || item.type === 'tool_search_output') all.push(...item.tools);
  }
  return all;
}

/** Adds the files of tool outputs as a message of their own, after the last output of a turn. */
function addItems(items: readonly ResponsesInputItem[], input: RequestInput): void {
  const { messages } = input;
  let isAssistantOpen = false;
  let hasFiles = false;
  for (const item of items) {
    if (isUnread(item)) {
      addSealed(item, input);
      continue;
    }
    if (isResponsesOutput(item)) {
      const filesBefore = input.files?.length ?? 0;
      messages.push(toText(outputContent(item), input));
      hasFiles ||= (input.files?.length ?? 0) > filesBefore;
      isAssistantOpen = false;
      continue;
    }
    if (hasFiles) messages.push('');
    hasFiles = false;
    if (isResponsesCall(item)) {
      const { name, arguments: text } = toFunctionCall(item);
      if (isAssistantOpen) messages[messages.length - 1] += name + text;
      else messages.push(name + text);
      isAssistantOpen = true;
    } else if (item.type === undefined || item.type === 'message') {
      messages.push(toText(item.content, input));
      isAssistantOpen = item.role === 'assistant';
    } else {
      addVendorItem(item, input);
      isAssistantOpen = false;
    }
  }
  if (hasFiles) messages.push('');
}

/** Whether no message is made of the item: only its vendor reads reasoning and searches, and tools are counted apart. */
export function isUnread(
  item: ResponsesInputItem,
): item is ItemOf<'reasoning' | 'web_search_call' | 'additional_tools'> {
  return item.type === 'reasoning' || item.type === 'web_search_call' || item.type === 'additional_tools';
}

/** The vendor that encrypted the reasoning reads it again. Reasoning without encrypted content is ignored. */
function addSealed(item: Record<string, unknown>, input: RequestInput): void {
  const sealed = item.type === 'web_search_call' ? JSON.stringify(item) : item.encrypted_content;
  if (typeof sealed === 'string') input.sealedBytes = (input.sealedBytes ?? 0) + Buffer.byteLength(sealed);
}

/** Counts the JSON of an item that only the vendor reads, and the images that it may fetch by URL. */
function addVendorItem(item: object, input: RequestInput): void {
  const json = JSON.stringify(item);
  input.messages.push(json);
  for (let images = countLinkedImages(json); images > 0; images--) addFile(input, 'image/*', '');
}

function toText(content: string | readonly ResponsesContentPart[], input: RequestInput): string {
  if (typeof content === 'string') return content;
  let text = '';
  for (const part of content) {
    switch (part.type) {
      case 'refusal':
        text += part.refusal;
        break;
      case 'input_image':
        addFile(input, 'image/*', part.image_url);
        break;
      case 'input_file':
        addFile(input, 'application/octet-stream', part.file_data);
        break;
      default:
        text += part.text;
    }
  }
  return text;
}

function addFile(input: RequestInput, mimeType: string, base64: string): void {
  input.files ??= [];
  input.files.push({ mimeType, bytes: Math.ceil((base64.length * 3) / 4) });
}
