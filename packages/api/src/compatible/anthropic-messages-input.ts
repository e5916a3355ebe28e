import type { RequestInput } from '../model-requests/request-input.js';
import type {
  MessagesAssistantBlock,
  MessagesBody,
  MessagesDocument,
  MessagesImageSource,
  MessagesMessage,
  MessagesToolResult,
  MessagesUserBlock,
} from './anthropic-messages.js';

type Asked = Pick<MessagesBody, 'messages' | 'system' | 'tools' | 'output_config'>;
type SearchResult = Extract<MessagesUserBlock, { type: 'search_result' }>;

/** Converts the input of a `/v1/messages` body. Each tool result is a message of its own, as with every other provider. */
export function inputOfMessages(body: Asked): RequestInput {
  const input: RequestInput = { messages: [] };
  if (body.system && body.system.length > 0) input.messages.push(systemText(body.system));
  for (const message of body.messages) addMessage(message, input);
  const extras = (body.tools ?? []).map((tool) => JSON.stringify(tool));
  if (body.output_config?.format) extras.push(JSON.stringify(body.output_config.format));
  if (extras.length > 0) input.extras = extras;
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

/** Marks a failed tool call for the model: other providers have no field for it. */
export function toolResultHeading({ is_error: isError }: MessagesToolResult): string {
  return isError ? 'Error: ' : '';
}

/** Text about a document besides its content. */
export function documentHeading({ title, context }: MessagesDocument): string {
  return (title ? `${title}\n` : '') + (context ? `${context}\n` : '');
}

function addMessage(message: MessagesMessage, input: RequestInput): void {
  const { content } = message;
  if (typeof content === 'string') input.messages.push(content);
  else if (message.role === 'user') addUserBlocks(content as readonly MessagesUserBlock[], input);
  else {
    const blocks = content as readonly MessagesAssistantBlock[];
    input.messages.push(blocks.map(assistantText).join(''));
    for (const block of blocks) addSealed(block, input);
  }
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
  if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return;
  for (const part of [block.thinking, block.signature, block.data]) {
    if (typeof part === 'string') input.sealedBytes = (input.sealedBytes ?? 0) + Buffer.byteLength(part);
  }
}

function userText(block: Exclude<MessagesUserBlock, { type: 'tool_result' }>, input: RequestInput): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      addImage(input, block.source);
      return '';
    case 'search_result':
      return searchResultText(block);
    case 'document':
      return documentHeading(block) + documentText(block, input);
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
