import type { RequestInput } from '../model-requests/request-input.js';
import { findFormat, listMessagesTools, type MessagesBody } from './anthropic-messages.js';
import type {
  MessagesAssistantBlock,
  MessagesDocument,
  MessagesImageSource,
  MessagesMessage,
  MessagesSystemBlock,
  MessagesToolResult,
  MessagesUserBlock,
} from './anthropic-messages-blocks.js';
import { isCustomTool, type MessagesTool, toolKind } from './anthropic-messages-tools.js';
import { countLinkedImages } from './vendor-parts.js';

type Asked = Pick<MessagesBody, 'messages' | 'system' | 'tools' | 'output_config' | 'output_format'>;
type SearchResult = Extract<MessagesUserBlock, { type: 'search_result' }>;
type ResultBlock = Exclude<NonNullable<MessagesToolResult['content']>, string>[number];

/** Upper bound of the definition of one of the vendor's own tools, which the model reads and the body does not have. */
const VENDOR_TOOL_TOKENS = 1_024;

/** Converts the input of a `/v1/messages` body. Each tool result is a message of its own, as with every other provider. */
export function inputOfMessages(body: Asked): RequestInput {
  const input: RequestInput = { messages: [] };
  if (body.system && body.system.length > 0) input.messages.push(systemText(body.system));
  for (const message of body.messages) addMessage(message, input);
  const tools = listMessagesTools(body);
  for (const tool of tools) addVendorTool(tool, input);
  const extras = tools.map((tool) => JSON.stringify(tool));
  const asked = findFormat(body);
  if (asked) extras.push(JSON.stringify(asked.format));
  if (extras.length > 0) input.extras = extras;
  if (cacheLifetimes(body).has('1h')) input.cachesForHour = true;
  return input;
}

/** A system prompt as one text. */
export function systemText(system: string | readonly { text: string }[]): string {
  return typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n');
}

/** A search result as the text that a model reads. */
export function searchResultText({ title, source, content }: SearchResult): string {
  return `${title}\n${source}\n${content.map(({ text }) => text).join('\n')}\n`;
}

/** A tool that a search has found: other providers have read its definition before. */
export function toolReferenceText({ tool_name: name }: { tool_name: string }): string {
  return `The tool ${name} is available.`;
}

/** Marks a failed tool call for the model: other providers have no field for it. */
export function toolResultHeading({ is_error: isError }: MessagesToolResult): string {
  return isError ? 'Error: ' : '';
}

/** Text about a document besides its content. */
export function documentHeading({ title, context }: MessagesDocument): string {
  return (title ? `${title}\n` : '') + (context ? `${context}\n` : '');
}

/** Counts what the vendor adds to the request for a tool that it has defined, or that it runs itself. */
function addVendorTool(tool: MessagesTool, input: RequestInput): void {
  if (isCustomTool(tool)) return;
  input.sealedBytes = (input.sealedBytes ?? 0) + VENDOR_TOOL_TOKENS;
  const kind = toolKind(tool.type);
  if (kind !== 'search' && kind !== 'fetch') return;
  input.providerTools ??= [];
  if (!input.providerTools.includes(kind)) input.providerTools.push(kind);
}

function addMessage(message: MessagesMessage, input: RequestInput): void {
  const { role, content } = message;
  if (typeof content === 'string') input.messages.push(content);
  else if (role === 'user') addUserBlocks(content, input);
  else if (role === 'system') input.messages.push(content.map(systemBlockText).join(''));
  else {
    input.messages.push(content.map(assistantText).join(''));
    for (const block of content) addSealed(block, input);
  }
}

/** Definitions of tools are counted with the others. */
function systemBlockText(block: MessagesSystemBlock): string {
  return block.type === 'text' ? block.text : '';
}

function addUserBlocks(blocks: readonly MessagesUserBlock[], input: RequestInput): void {
  let text = '';
  let hasOwn = false;
  const filesBefore = input.files?.length ?? 0;
  for (const block of blocks) {
    if (block.type !== 'tool_result') {
      text += userText(block, input);
      hasOwn = true;
      continue;
    }
    const { content = '' } = block;
    const result = typeof content === 'string' ? content : content.map((part) => userText(part, input)).join('');
    input.messages.push(toolResultHeading(block) + result);
  }
  if (hasOwn || (input.files?.length ?? 0) > filesBefore) input.messages.push(text);
}

function assistantText(block: MessagesAssistantBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return block.name + JSON.stringify(block.input ?? {});
    default:
      return '';
  }
}

/** The vendor that signed the thinking reads it again: its text, and the content of the signature or redacted data. */
function addSealed(block: MessagesAssistantBlock, input: RequestInput): void {
  if (block.type === 'text' || block.type === 'tool_use') return;
  const isThinking = block.type === 'thinking' || block.type === 'redacted_thinking';
  const parts = isThinking ? [block.thinking, block.signature, block.data] : [JSON.stringify(block)];
  for (const part of parts) {
    if (typeof part === 'string') input.sealedBytes = (input.sealedBytes ?? 0) + Buffer.byteLength(part);
  }
}

/** A block that only the vendor reads, with images that it may fetch by URL. */
function vendorText(block: object, input: RequestInput): string {
  const json = JSON.stringify(block);
  for (let images = countLinkedImages(json); images > 0; images--) addFile(input, 'image/*', '');
  return json;
}

function userText(
  block: Exclude<MessagesUserBlock, { type: 'tool_result' }> | ResultBlock,
  input: RequestInput,
): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      addImage(input, block.source);
      return '';
    case 'search_result':
      return searchResultText(block);
    case 'tool_reference':
      return toolReferenceText(block);
    case 'document':
      return documentHeading(block) + documentText(block, input);
    default:
      return vendorText(block, input);
  }
}

function documentText({ source }: MessagesDocument, input: RequestInput): string {
  switch (source.type) {
    case 'text':
      return source.data;
    case 'base64':
      addFile(input, source.media_type, source.data);
      return '';
    case 'content':
      if (typeof source.content === 'string') return source.content;
      return source.content.map((part) => userText(part, input)).join('');
  }
}

/** The size of an image by URL is unknown: it counts as the most expensive image. */
function addImage(input: RequestInput, source: MessagesImageSource): void {
  if (source.type === 'base64') addFile(input, source.media_type, source.data);
  else addFile(input, 'image/*', '');
}

function addFile(input: RequestInput, mimeType: string, base64: string): void {
  input.files ??= [];
  input.files.push({ mimeType, bytes: Math.ceil((base64.length * 3) / 4) });
}

/** Returns the lifetimes of prompt caches that any part of the body asks the vendor for. */
export function cacheLifetimes(body: object): Set<unknown> {
  const { system, tools, messages } = body as { system?: unknown; tools?: unknown; messages?: unknown };
  const found = new Set<unknown>();
  for (const part of [body, system, tools]) addLifetimes(part, found);
  if (Array.isArray(messages)) for (const { content } of messages) addLifetimes(content, found);
  return found;
}

interface Marked {
  cache_control?: { ttl?: unknown } | null;
  content?: unknown;
  source?: { content?: unknown } | null;
  tool?: { definition?: unknown } | null;
}

/** Tool results and documents have content as well, and added tools a definition. */
function addLifetimes(part: unknown, found: Set<unknown>): void {
  if (Array.isArray(part)) for (const each of part) addLifetimes(each, found);
  else if (typeof part === 'object' && part !== null) {
    const { cache_control: control, content, source, tool } = part as Marked;
    if (control?.ttl !== undefined && control.ttl !== null) found.add(control.ttl);
    for (const inner of [content, source?.content, tool?.definition]) if (inner) addLifetimes(inner, found);
  }
}
