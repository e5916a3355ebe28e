import { type AppError, toAnthropicError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnFacts } from '../../domain/turn-facts.js';
import { NOTHING_SERVED } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { messageEnding, messageHead, messageUsage, textBlock, toolUseBlock, wholeUsage } from './message-resource.js';

/**
 * Named events in this dialect's strict order: message_start, then one block after the other (start, deltas, stop), then
 * message_delta with the usage and message_stop.
 */
export class MessagesStreamWriter implements StreamWriter {
  readonly #facts: TurnFacts;
  readonly #countInput: () => number;
  /** Block of each tool call, by the provider's index of the call. */
  readonly #blockOfCall = new Map<number, number>();
  #blocks = 0;
  #open: 'text' | 'tool_use' | undefined;

  /** `countInput`: our own count, told before the provider's is known; the figures of `message_delta` are the final ones. */
  constructor(facts: TurnFacts, countInput: () => number) {
    this.#facts = facts;
    this.#countInput = countInput;
  }

  start(): StreamEvent {
    const message = {
      ...messageHead(this.#facts),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: wholeUsage({ ...NOTHING_SERVED, inputTokens: this.#countInput() }),
    };
    return event('message_start', { message });
  }

  text(delta: string): StreamEvent | StreamEvent[] {
    const delivered: StreamEvent = {
      event: 'content_block_delta',
      data: `{"type":"content_block_delta","index":${this.#open === 'text' ? this.#blocks - 1 : this.#blocks},"delta":{"type":"text_delta","text":${JSON.stringify(delta)}}}`,
    };
    return this.#open === 'text' ? delivered : [...this.#openBlock('text', textBlock('')), delivered];
  }

  toolCall(index: number, id: string, name: string): StreamEvent[] {
    const events = this.#openBlock('tool_use', toolUseBlock({ id, name }, {}));
    this.#blockOfCall.set(index, this.#blocks - 1);
    return events;
  }

  /** Belongs to its own block even where a provider writes several calls at once and this one is not the newest. */
  toolArguments(index: number, delta: string): StreamEvent | undefined {
    const block = this.#blockOfCall.get(index);
    if (block === undefined) return undefined;
    return event('content_block_delta', { index: block, delta: { type: 'input_json_delta', partial_json: delta } });
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[] = []): StreamEvent[] {
    if (forwarded.length > 0) return closed(forwarded);
    const delta = { container: null, ...messageEnding(answer.stopReason) };
    return [
      ...this.#closeBlock(),
      event('message_delta', { delta, usage: messageUsage(usage) }),
      event('message_stop', {}),
    ];
  }

  error(error: AppError): StreamEvent {
    return { event: 'error', data: JSON.stringify(toAnthropicError(error, this.#facts.requestId)) };
  }

  #openBlock(kind: 'text' | 'tool_use', block: Record<string, unknown>): StreamEvent[] {
    const events = this.#closeBlock();
    const index = this.#blocks++;
    this.#open = kind;
    events.push(event('content_block_start', { index, content_block: block }));
    if (index === 0) events.push(event('ping', {}));
    return events;
  }

  #closeBlock(): StreamEvent[] {
    if (this.#open === undefined) return [];
    this.#open = undefined;
    return [event('content_block_stop', { index: this.#blocks - 1 })];
  }
}

function event(type: string, fields: Record<string, unknown>): StreamEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}

/** A provider's own end; one that breaks off behind its figures lacks the closing event only. */
function closed(forwarded: readonly StreamEvent[]): StreamEvent[] {
  const isClosed = forwarded.at(-1)?.event === 'message_stop';
  return isClosed ? [...forwarded] : [...forwarded, event('message_stop', {})];
}
