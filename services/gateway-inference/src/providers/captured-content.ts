import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
} from '@opentelemetry/semantic-conventions/incubating';
import type { SpanFields } from '@tollgate/runtime';
import type { ModelAnswer } from '../domain/model-answer.js';
import { type ModelMessage, messageText } from '../domain/model-request.js';
import type { ModelCall } from './contract/provider.js';

/** Characters of a request, and of an answer, that a span has at most: collectors refuse larger ones. */
const CHARS_MAX = 64 * 1024;

interface Message {
  role: string;
  parts: object[];
  finish_reason?: string;
}

/**
 * Returns the messages of a request as the conventions of OpenTelemetry write them, from the last one on as far as they fit. Files
 * are named by their kind.
 */
export function captureInput(call: ModelCall): SpanFields {
  const messages: Message[] = [];
  let left = CHARS_MAX;
  for (const message of call.request().messages.toReversed()) {
    if (left <= 0) break;
    const text = messageText(message).slice(0, left);
    left -= text.length;
    messages.unshift({ role: message.role, parts: toParts(message, text) });
  }
  return { [ATTR_GEN_AI_INPUT_MESSAGES]: JSON.stringify(messages) };
}

function toParts(message: ModelMessage, text: string): object[] {
  if (message.role === 'tool') return [{ type: 'tool_call_response', id: message.toolCallId, response: text }];
  const files = message.content
    .filter(({ type }) => type !== 'text')
    .map(({ type }) => ({ type: 'file', modality: type }));
  const calls = message.toolCalls.map(({ id, function: called }) => toCall(id, called?.name, called?.arguments));
  return [...(text === '' ? [] : [{ type: 'text', content: text }]), ...files, ...calls];
}

function toCall(id: string, name: string | undefined, text = ''): object {
  return { type: 'tool_call', id, name, arguments: text.slice(0, CHARS_MAX) };
}

/** Collects the text of an answer, as far as it fits. */
export class CapturedOutput {
  #text = '';

  add(delta: string): void {
    if (this.#text.length < CHARS_MAX) this.#text += delta.slice(0, CHARS_MAX - this.#text.length);
  }

  /** The text of a plain answer comes with it, that of a stream has been added. */
  toFields({ text, stopReason, toolCalls }: ModelAnswer): SpanFields {
    const content = this.#text === '' ? text.slice(0, CHARS_MAX) : this.#text;
    const calls = toolCalls.map((called) => toCall(called.id, called.name, called.arguments));
    const parts = [...(content === '' ? [] : [{ type: 'text', content }]), ...calls];
    const message: Message = { role: 'assistant', parts, finish_reason: stopReason };
    return { [ATTR_GEN_AI_OUTPUT_MESSAGES]: JSON.stringify([message]) };
  }
}
