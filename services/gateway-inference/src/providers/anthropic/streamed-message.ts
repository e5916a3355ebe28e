import type { TokenUsage } from '../../domain/model-answer.js';
import type { ModelListener } from '../contract/provider.js';
import { isObject, type Json, textOrUndefined } from '../convert/answer-reading.js';
import { finalUsage, toTokenUsage } from './usage.js';

/** Reads id, stop reason and usage from the first and last events, for both readers of a streamed message. */
export class StreamedMessage {
  readonly #listener: ModelListener;
  responseId = '';
  stopReason: string | undefined;
  /** Usage of the whole message, from its last events. */
  usage: TokenUsage | undefined;
  #firstUsage: TokenUsage | undefined;
  #hasReportedFirst = false;

  constructor(listener: ModelListener) {
    this.#listener = listener;
  }

  /** Reads `message_start`. */
  start(message: Json): void {
    this.responseId = textOrUndefined(message.id) ?? '';
    this.#firstUsage = toTokenUsage(message.usage);
  }

  /** Reports the usage of the start. Called with the first output only: a call that fails before output is free. */
  reportFirstUsage(): void {
    if (this.#hasReportedFirst || !this.#firstUsage) return;
    this.#hasReportedFirst = true;
    this.#listener.onUsage(this.#firstUsage);
  }

  /** Reads `message_delta`, and reports its usage. */
  finish({ delta, usage }: Json): void {
    if (isObject(delta) && typeof delta.stop_reason === 'string') this.stopReason = delta.stop_reason;
    this.usage = finalUsage(usage, this.#firstUsage);
    if (this.usage) this.#listener.onUsage(this.usage);
  }

  /** Reads `message_stop`. */
  stop(): void {
    this.stopReason ??= 'end_turn';
  }
}
