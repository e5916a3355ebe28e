import type { ReaderEvent } from '../../domain/run/run-event.js';

/** Text of the events kept for a reader that does not come for them; one that is further behind asks the database. */
const KEPT_CHARS_MAX = 4 * 1024 * 1024;

/**
 * What one reader of a log has been told of while it was busy: events that this process has committed itself, and that
 * there may be others. Only what follows the reader's position without a gap is taken from here, so whatever is told
 * late, twice or out of order, the database has the last word.
 */
export class ReaderInbox {
  #kept: ReaderEvent[] = [];
  #keptChars = 0;
  /** The database may have what is not here. At first everything that is stored. */
  #mustAsk = true;
  #wake: (() => void) | undefined;

  /** Committed events, in order. */
  put(events: readonly ReaderEvent[]): void {
    this.#keptChars += charsOf(events);
    if (this.#keptChars > KEPT_CHARS_MAX) {
      this.#kept = [];
      this.#keptChars = 0;
      this.#mustAsk = true;
    } else this.#kept.push(...events);
    this.#wake?.();
  }

  /** The database may have more. */
  ring(): void {
    this.#mustAsk = true;
    this.#wake?.();
  }

  /** Up to `max` events after the position, none when there are none; undefined: ask the database. */
  take(position: number, max: number): ReaderEvent[] | undefined {
    const kept = this.#kept.filter(({ seq }) => seq > position).sort((a, b) => a.seq - b.seq);
    const gap = kept.findIndex(({ seq }, index) => seq !== position + 1 + index);
    const taken = kept.slice(0, Math.min(max, gap === -1 ? kept.length : gap));
    this.#kept = kept.slice(taken.length);
    this.#keptChars = charsOf(this.#kept);
    if (taken.length > 0) return taken;
    if (!this.#mustAsk && this.#kept.length === 0) return [];
    this.#mustAsk = false;
    return undefined;
  }

  /** Waits until there may be something to take, at most so long. */
  async rung(timeoutMs: number): Promise<void> {
    if (this.#mustAsk || this.#kept.length > 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(0, Math.min(timeoutMs, 2 ** 31 - 1)));
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

function charsOf(events: readonly ReaderEvent[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0);
}
