import type { ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { type ModelMessage, type ModelPart, messageText } from '../../domain/model-request.js';
import { type Json, parseObject } from '../convert/answer-reading.js';
import { FILLER, orderMessages } from '../convert/conversation.js';
import { toFileType } from '../convert/file-type.js';
import { toolArguments } from '../convert/tool-arguments.js';
import { toolName } from '../convert/tool-names.js';

interface Content {
  role: 'user' | 'model';
  parts: unknown[];
}

/**
 * Replaces the signature of a call that this model did not make in this conversation, or whose signature the client did not
 * keep; without one, the vendor rejects the request. Source: ai.google.dev/gemini-api/docs/thought-signatures (FAQ).
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

export function systemPrompt(messages: readonly ModelMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n\n');
}

/** Returns the conversation in alternating turns. Tool results are merged into one user turn. */
export function toContents(messages: readonly ModelMessage[], upstreamModel: string): Content[] {
  const names = namesOfCalls(messages);
  const turns: Content[] = [];
  for (const message of orderMessages(messages)) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = toParts(message, names, upstreamModel);
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ role, parts });
  }
  // A call follows a turn of the user.
  return turns[0]?.role === 'model' ? [{ role: 'user', parts: part(FILLER) }, ...turns] : turns;
}

function toParts(message: ModelMessage, names: ReadonlyMap<string, string>, upstreamModel: string): unknown[] {
  const { continuation } = message;
  if (continuation?.provider === 'google-ai-studio' && continuation.upstreamModel === upstreamModel) {
    return continuation.content as unknown[];
  }
  if (message.role === 'tool') return [functionResponse(message, names)];
  const needsSignature = !/^gemini-[12]\b/.test(upstreamModel);
  const calls = message.toolCalls.map((call, index) => functionCall(call, needsSignature && index === 0));
  return [...message.content.flatMap(part), ...calls];
}

/** @throws AppError for a link: the vendor reads only images that are sent */
function part(content: ModelPart): Json[] {
  if (content.type === 'linked_image') {
    const message = 'this model takes images as data: URLs with base64 only';
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: content.field, message }] });
  }
  if (content.type === 'file') {
    const { file } = content;
    return [{ inlineData: { mimeType: toFileType(file), data: file.data_base64 } }];
  }
  return content.text === '' ? [] : [{ text: content.text }];
}

/** Signs only the first of parallel calls, as the vendor does. */
function functionCall(call: ToolCall, isSigned: boolean): Json {
  const name = toolName(call.function?.name ?? call.type);
  const args = toolArguments(call);
  return { functionCall: { id: call.id, name, args }, ...(isSigned ? { thoughtSignature: NO_SIGNATURE } : {}) };
}

/** Returns the result of a call, with the call's name, which the vendor requires. */
function functionResponse(message: ModelMessage, names: ReadonlyMap<string, string>): Json {
  const id = message.toolCallId ?? '';
  const name = names.get(id);
  if (name === undefined) {
    const text = `tool_call_id ${id} answers no tool call of the conversation`;
    throw new AppError('VALIDATION_ERROR', text, { fields: [{ field: 'input', message: text }] });
  }
  const text = messageText(message);
  return { functionResponse: { id, name, response: parseObject(text) ?? { output: text } } };
}

function namesOfCalls(messages: readonly ModelMessage[]): Map<string, string> {
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  return new Map(calls.map((call) => [call.id, toolName(call.function?.name ?? call.type)]));
}
