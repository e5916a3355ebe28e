import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime/json-object';

/** Commits and clears of the client's buffer that the vendor has not confirmed. */
const MARKS_MAX = 64;

/**
 * How much of the client's speech the vendor may still commit, in milliseconds: everything that was sent and is not confirmed as
 * committed or dropped. Pure.
 */
export class SpeechPosition {
  #sentMs = 0;
  #committedMs = 0;
  /** What had been sent when the client committed or cleared its buffer, oldest first. The vendor answers them in order. */
  readonly #marks: number[] = [];
  #isSpeaking = false;
  /** The item of the speech that ended last, and where it ended. */
  #spoken: { itemId: unknown; endMs: number | undefined } | undefined;

  get uncommittedMs(): number {
    return this.#sentMs - this.#committedMs;
  }

  /** Whether speech is being committed: the vendor hears someone speak, or has not confirmed a commit. */
  get isCommitting(): boolean {
    return this.#isSpeaking || this.#marks.length > 0;
  }

  sent(ms: number): void {
    this.#sentMs += ms;
  }

  /** The client commits or clears its buffer. @throws AppError when too many of these events are unconfirmed */
  mark(): void {
    if (this.#marks.length >= MARKS_MAX) {
      throw new AppError('CONFLICT', 'too many commits are unconfirmed; wait for input_audio_buffer.committed');
    }
    this.#marks.push(this.#sentMs);
  }

  /** The vendor has refused the oldest mark. */
  reject(): void {
    this.#marks.shift();
  }

  /** Takes an event about the buffer. Returns the end of a turn that the vendor has detected and committed. */
  fromVendor(event: JsonObject): { endMs: number | undefined } | undefined {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        this.#isSpeaking = true;
        return undefined;
      case 'input_audio_buffer.speech_stopped':
        this.#spoken = { itemId: event.item_id, endMs: toNumber(event.audio_end_ms) };
        return undefined;
      case 'input_audio_buffer.committed':
        return this.#takeCommitted(event.item_id);
      default:
        this.#moveTo(this.#marks.shift());
        return undefined;
    }
  }

  #takeCommitted(itemId: unknown): { endMs: number | undefined } | undefined {
    const spoken = this.#spoken;
    this.#isSpeaking = false;
    if (spoken === undefined || spoken.itemId === undefined || spoken.itemId !== itemId) {
      this.#moveTo(this.#marks.shift());
      return undefined;
    }
    this.#spoken = undefined;
    this.#moveTo(spoken.endMs);
    return { endMs: spoken.endMs };
  }

  #moveTo(ms = this.#committedMs): void {
    this.#committedMs = Math.min(Math.max(ms, this.#committedMs), this.#sentMs);
  }
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
