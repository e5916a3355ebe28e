import type { ReaderEvent } from '../../domain/run/run-event.js';

/** The most text that is kept for a slow reader. A reader that is further behind reads from the database. */
const KEPT_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Collects events for one reader of a log while it is busy: events that this process has committed, and hints that
 * there may be others. The reader takes only events that follow its position without a gap and reads the rest from the
 * database, so late, repeated and reordered events do no harm.
 */
export class ReaderInbox {
  #kept: ReaderEvent[] = [];
  #keptChars = 0;
  /** Whether the database may have more events; initially, it has all stored ones. */
  #mustQuery = true;
  #wake: (() => void) | undefined;

  /** Adds committed events, in order. */
  put(events: readonly ReaderEvent[]): void {
    this.#keptChars += countChars(events);
    if (this.#keptChars > KEPT_CHARS_MAX) {
      this.#kept = [];
      this.#keptChars = 0;
      this.#mustQuery = true;
    } else this.#kept.push(...events);
    this.#wake?.();
  }

  /** Notes that the database may have more events. */
  ring(): void {
    this.#mustQuery = true;
    this.#wake?.();
  }

  /** Takes up to `max` events after the position. Returns undefined when the database must be queried. */
  take(position: number, max: number): ReaderEvent[] | undefined {
    const kept = this.#kept.filter(({ seq }) => seq > position).sort((a, b) => a.seq - b.seq);
    const gap = kept.findIndex(({ seq }, index) => seq !== position + 1 + index);
    const taken = kept.slice(0, Math.min(max, gap === -1 ? kept.length : gap));
    this.#kept = kept.slice(taken.length);
    this.#keptChars = countChars(this.#kept);
    if (taken.length > 0) return taken;
    if (!this.#mustQuery && this.#kept.length === 0) return [];
    this.#mustQuery = false;
    return undefined;
  }

  /** Waits until there may be events to take, for at most `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (this.#mustQuery || this.#kept.length > 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(0, Math.min(timeoutMs, 2 ** 31 - 1)));
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

function countChars(events: readonly ReaderEvent[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0);
}
