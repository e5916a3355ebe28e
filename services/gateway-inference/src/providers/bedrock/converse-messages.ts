import { createHash } from 'node:crypto';
import type { FilePart, ProviderId, ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { type ModelMessage, type ModelPart, messageText } from '../../domain/model-request.js';
import { isObject, type Json } from '../convert/answer-reading.js';
import { FILLER, orderMessages } from '../convert/conversation.js';
import { toFileType } from '../convert/file-type.js';
import { toolArguments } from '../convert/tool-arguments.js';
import { toolName } from '../convert/tool-names.js';
import { toPlainModel } from './bedrock-models.js';
import { findKeptBlocks } from './content-blocks.js';

export interface ConverseMessage {
  role: 'user' | 'assistant';
  content: Json[];
}

/** Formats of files by media type. Source: ImageFormat, DocumentFormat, VideoFormat of `@aws-sdk/client-bedrock-runtime` 3.1164. */
const images: Record<string, string> = {
  'image/gif': 'gif',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
};
const documents: Record<string, string> = {
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};
const videos: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/mpeg': 'mpeg',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
};

/** Asks a model to continue its own message: few models of Bedrock continue the last message of a conversation. */
const CONTINUE = { text: 'Continue.' };
const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const MISTRAL_ID_CHARS = 9;

/** Returns the system prompts, which are sent before the conversation. */
export function systemBlocks(messages: readonly ModelMessage[]): Json[] {
  const texts = messages.filter(({ role }) => role === 'system').map(messageText);
  return texts.filter((text) => text.trim() !== '').map((text) => ({ text }));
}

/** Returns the conversation in alternating turns that a user starts and ends. Tool results are merged into one user message. */
export function toTurns(
  messages: readonly ModelMessage[],
  provider: ProviderId,
  upstreamModel: string,
): ConverseMessage[] {
  const turns: ConverseMessage[] = [];
  const converter = new MessageConverter(provider, upstreamModel);
  for (const message of orderMessages(messages)) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = converter.toContent(message);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [{ text: '.' }] });
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: [CONTINUE] });
  return turns.map(withText);
}

/** Whether a conversation has calls or results of tools, which then must be declared. */
export function listCalled(turns: readonly ConverseMessage[]): string[] {
  const calls = turns.flatMap(({ content }) => content).flatMap(({ toolUse }) => (isObject(toolUse) ? [toolUse] : []));
  return [...new Set(calls.map(({ name }) => String(name)))];
}

/** A message with a document needs a text. */
function withText(turn: ConverseMessage): ConverseMessage {
  const { content } = turn;
  const isLacking = content.some(({ document }) => document) && !content.some(({ text }) => text !== undefined);
  return isLacking ? { ...turn, content: [...content, { text: '.' }] } : turn;
}

class MessageConverter {
  readonly #provider: ProviderId;
  readonly #upstreamModel: string;
  readonly #isMistral: boolean;
  /** Documents have neutral names, which must differ: models read them, and files' names may be instructions. */
  #documents = 0;

  constructor(provider: ProviderId, upstreamModel: string) {
    this.#provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#isMistral = toPlainModel(upstreamModel).startsWith('mistral.');
  }

  toContent(message: ModelMessage): Json[] {
    const kept = findKeptBlocks(message, this.#provider, this.#upstreamModel);
    if (kept) return kept.map((block) => this.#withId(block));
    if (message.role === 'tool') return [this.#toolResult(message)];
    const calls = message.toolCalls.map((call) => this.#toolUse(call));
    return [...message.content.flatMap((part) => this.#block(part)), ...calls];
  }

  /** Leaves out texts of nothing but white space, which the vendor rejects. */
  #block(part: ModelPart): Json[] {
    if (part.type === 'linked_image') {
      const message = 'this model takes images as data: URLs with base64 only';
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: part.field, message }] });
    }
    if (part.type === 'file') return [this.#file(part.file)];
    return part.text.trim() === '' ? [] : [{ text: part.text }];
  }

  #file(file: FilePart['file']): Json {
    const mime = toFileType(file);
    const source = { bytes: file.data_base64 };
    if (images[mime]) return { image: { format: images[mime], source } };
    if (videos[mime]) return { video: { format: videos[mime], source } };
    const format = documents[mime] ?? (isText(mime) ? 'txt' : undefined);
    if (format) return { document: { format, name: `document ${++this.#documents}`, source } };
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', `files of type ${mime} are not supported by this provider`);
  }

  /** A result needs content. */
  #toolResult(message: ModelMessage): Json {
    const content = message.content.flatMap((part) => this.#block(part));
    return {
      toolResult: {
        toolUseId: this.#toId(message.toolCallId ?? ''),
        content: content.length > 0 ? content : [{ text: FILLER.type === 'text' ? FILLER.text : '.' }],
      },
    };
  }

  #toolUse(call: ToolCall): Json {
    const name = toolName(call.function?.name ?? call.type);
    return { toolUse: { toolUseId: this.#toId(call.id), name, input: toolArguments(call) } };
  }

  #withId(block: Json): Json {
    const { toolUse } = block;
    if (!isObject(toolUse)) return block;
    return { toolUse: { ...toolUse, toolUseId: this.#toId(String(toolUse.toolUseId)) } };
  }

  /**
   * Returns an id that the model accepts, alike in calls and results: a call may come from another provider. Mistral's models accept nine
   * letters and digits, though Bedrock itself gives them longer ones.
   *
   * Source: normalizeToolCallId of `@ai-sdk/amazon-bedrock` 4.0.
   */
  #toId(id: string): string {
    if (this.#isMistral) return createHash('sha256').update(id).digest('hex').slice(0, MISTRAL_ID_CHARS);
    return ID.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
  }
}

function isText(mime: string): boolean {
  return mime.startsWith('text/') || mime === 'application/json';
}
