import type { ContentPart, FilePart, ToolCall } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { type ModelMessage, textOf } from '../../domain/model-request.js';
import type { Json } from '../convert/answer-reading.js';
import { toolArguments } from '../convert/tool-arguments.js';
import { toolName } from '../convert/tool-names.js';
import { keptMessageOf } from './message-continuation.js';

interface WireMessage {
  role: 'user' | 'assistant';
  content: unknown[];
}

const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** The system prompt: this dialect has one, in front of the conversation. */
export function systemOf(messages: readonly ModelMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n\n');
}

/** The conversation, in turns that alternate: results of tools are the user's, and go together into one message. */
export function toMessages(messages: readonly ModelMessage[], upstreamModel: string): WireMessage[] {
  const turns: WireMessage[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = contentOf(message, upstreamModel);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

function contentOf(message: ModelMessage, upstreamModel: string): unknown[] {
  const kept = keptMessageOf(message, upstreamModel);
  if (kept) return [...kept.blocks];
  if (message.role === 'tool') return [toolResult(message)];
  return [...message.content.flatMap(block), ...message.toolCalls.map(toolUse)];
}

/** Empty texts are refused by the vendor. */
function block(part: ContentPart): Json[] {
  if (part.type === 'file') return [fileBlock(part.file)];
  return part.text === '' ? [] : [{ type: 'text', text: part.text }];
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

/** Calls may come from another provider, whose ids have other characters. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function fileBlock(file: FilePart['file']): Json {
  const mime = file.mime_type.toLowerCase();
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
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `the provider takes no files of type ${mime}`);
}
