import { type AppError, toAnthropicError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { NOTHING_SERVED } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { MessageBlocks } from './message-blocks.js';
import { messageHead, messageUsage, toMessageOutcome, wholeUsage } from './message-resource.js';

/**
 * Writes named events in this dialect's strict order: message_start, then one block after the other (start, deltas, stop),
 * then message_delta with the usage, and message_stop.
 */
export class MessagesStreamWriter implements StreamWriter {
  readonly #info: TurnInfo;
  readonly #countInput: () => number;
  readonly #blocks = new MessageBlocks();

  /** `countInput`: our own count, sent before the provider's is known. The usage of `message_delta` is final. */
  constructor(info: TurnInfo, countInput: () => number) {
    this.#info = info;
    this.#countInput = countInput;
  }

  start(): StreamEvent {
    const message = {
      ...messageHead(this.#info),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: wholeUsage({ ...NOTHING_SERVED, inputTokens: this.#countInput() }),
    };
    return event('message_start', { message });
  }

  text(delta: string): StreamEvent | StreamEvent[] {
    return this.#blocks.text(delta);
  }

  toolCall(index: number, id: string, name: string): StreamEvent[] {
    return this.#blocks.toolCall(index, id, name);
  }

  toolArguments(index: number, delta: string): StreamEvent[] {
    return this.#blocks.toolArguments(index, delta);
  }

  forwarded(event: StreamEvent): void {
    this.#blocks.forwarded(event);
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[] = []): StreamEvent[] {
    if (forwarded.length > 0) return closed(forwarded);
    const delta = { container: null, ...toMessageOutcome(answer) };
    return [
      ...this.#blocks.end(),
      event('message_delta', { delta, usage: messageUsage(usage) }),
      event('message_stop', {}),
    ];
  }

  error(error: AppError): StreamEvent {
    return { event: 'error', data: JSON.stringify(toAnthropicError(error, this.#info.requestId)) };
  }
}

function event(type: string, fields: Record<string, unknown>): StreamEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}

/** Completes a provider's own last events: a stream that broke off after its usage lacks only `message_stop`. */
function closed(forwarded: readonly StreamEvent[]): StreamEvent[] {
  const isClosed = forwarded.at(-1)?.event === 'message_stop';
  return isClosed ? [...forwarded] : [...forwarded, event('message_stop', {})];
}
