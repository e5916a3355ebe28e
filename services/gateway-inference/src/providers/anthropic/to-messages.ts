import type { FilePart, ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { type ModelMessage, type ModelPart, messageText } from '../../domain/model-request.js';
import { filterObjects, isObject, type Json } from '../convert/answer-reading.js';
import { FILLER, orderMessages } from '../convert/conversation.js';
import { toFileType } from '../convert/file-type.js';
import { toolArguments } from '../convert/tool-arguments.js';
import { toolName } from '../convert/tool-names.js';
import { isToolUse } from './content-blocks.js';
import { findKeptMessage } from './message-continuation.js';
import type { ModelTraits } from './model-traits.js';

export interface WireMessage {
  role: 'user' | 'assistant';
  content: unknown[];
}

/** Asks a model that does not continue its own message to do so. */
const CONTINUE = { type: 'text', text: 'Continue.' };
const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Returns the system prompt: this dialect has one, before the conversation. */
export function systemPrompt(messages: readonly ModelMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n\n');
}

/** Returns the conversation in alternating turns. Tool results are merged into one user message. */
export function toMessages(messages: readonly ModelMessage[], upstreamModel: string): WireMessage[] {
  const turns: WireMessage[] = [];
  for (const message of orderMessages(messages)) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = toContent(message, upstreamModel);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns[0]?.role === 'assistant' ? [{ role: 'user', content: block(FILLER) }, ...turns] : turns;
}

/**
 * Brings the last turn into a form that the model accepts. The older models continue an assistant's message, if it does not end with white
 * space; to the newer ones, the user says so. A turn that the vendor paused continues by itself.
 */
export function endTurns(turns: readonly WireMessage[], { hasPrefill }: ModelTraits): readonly WireMessage[] {
  const last = turns.at(-1);
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (!last || !isObject(block) || block.type !== 'text') return turns;
  if (!hasPrefill) return [...turns, { role: 'user', content: [CONTINUE] }];
  const text = { ...block, text: String(block.text).trimEnd() };
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), text] }];
}

/** Whether the turn that the model answers calls tools without the thinking that came before, as only this vendor signs it. */
export function lacksThinking(turns: readonly WireMessage[]): boolean {
  const last = turns.findLast(({ role }) => role === 'assistant');
  const blocks = filterObjects(last?.content);
  return blocks.some(isToolUse) && !String(blocks[0]?.type).endsWith('thinking');
}

/** Returns the names of the tools that the conversation calls. */
export function listCalled(turns: readonly WireMessage[]): string[] {
  const calls = turns.flatMap(({ content }) => filterObjects(content)).filter(isToolUse);
  return [...new Set(calls.map(({ name }) => String(name)))];
}

function toContent(message: ModelMessage, upstreamModel: string): unknown[] {
  const kept = findKeptMessage(message, upstreamModel);
  if (kept) return [...kept.blocks];
  if (message.role === 'tool') return [toolResult(message)];
  return [...message.content.flatMap(block), ...message.toolCalls.map(toolUse)];
}

/** Leaves out texts of nothing but white space, which the vendor rejects. */
function block(part: ModelPart): Json[] {
  if (part.type === 'linked_image') return [{ type: 'image', source: { type: 'url', url: part.url } }];
  if (part.type === 'file') return [fileBlock(part.file)];
  return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
}

function toolResult(message: ModelMessage): Json {
  return {
    type: 'tool_result',
    tool_use_id: wireId(message.toolCallId ?? ''),
    content: message.content.flatMap(block),
  };
}

function toolUse(call: ToolCall): Json {
  const name = toolName(call.function?.name ?? call.type);
  return { type: 'tool_use', id: wireId(call.id), name, input: toolArguments(call) };
}

/** Replaces characters that the vendor does not allow in ids: a call may come from another provider. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function fileBlock(file: FilePart['file']): Json {
  const mime = toFileType(file);
  const title = file.filename === undefined ? {} : { title: file.filename };
  if (IMAGE_TYPES.has(mime)) {
    return { type: 'image', source: { type: 'base64', media_type: mime, data: file.data_base64 } };
  }
  if (mime === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mime, data: file.data_base64 }, ...title };
  }
  if (mime.startsWith('text/') || mime === 'application/json') {
    const data = Buffer.from(file.data_base64, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...title };
  }
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `files of type ${mime} are not supported by this provider`);
}
