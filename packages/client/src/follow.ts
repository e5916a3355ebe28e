import { TollgateError } from './core/error.js';
import { backoffMs } from './core/retry-policy.js';
import type { Timing } from './core/settings.js';

export interface Following<T> {
  /** Opens a stream behind the last event; undefined: from the start. */
  open(after: T | undefined): AsyncIterable<T>;
  /** Whether the stream repeats this event, which `last` follows or is. */
  isRepeat(event: T, last: T | undefined): boolean;
  /** Whether nothing follows this event. */
  isLast(event: T): boolean;
}

/** A connection that lasted this long did its work, although it brought nothing. */
const LASTED_MS = 30_000;

/** Connections in a row that end early and bring nothing new. */
const FRUITLESS_MAX = 8;

/**
 * Yields the events of a log to its end. A connection that breaks or ends is opened again behind the last event.
 *
 * @throws TollgateError when the service refuses, or stays unavailable
 */
export async function* follow<T>(
  { open, isRepeat, isLast }: Following<T>,
  timing: Timing,
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let last: T | undefined;
  let fruitless = 0;
  for (;;) {
    const openedMs = timing.elapsed();
    let failure: TollgateError | undefined;
    try {
      for await (const event of open(last)) {
        if (isRepeat(event, last)) continue;
        last = event;
        fruitless = 0;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (!(error instanceof TollgateError) || !error.retryable) throw error;
      failure = error;
    }
    if (timing.elapsed() - openedMs >= LASTED_MS) fruitless = 0;
    if (fruitless >= FRUITLESS_MAX) throw failure ?? new TollgateError('CONNECTION_ERROR', 'the stream ends at once');
    await timing.pause(Math.max(backoffMs(fruitless, timing.random()), askedMs(failure)), signal);
    fruitless++;
  }
}

function askedMs(failure: TollgateError | undefined): number {
  return Math.min(60, failure?.retryAfterSeconds ?? 0) * 1000;
}
