/** Clocks that only move when a test moves them. Implements the runtime's `Clock`. */
export interface ControllableClock {
  now(): Date;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds since the clock was made, whatever steps the wall clock takes. */
  elapsed(): number;
  /** Lets time pass on both clocks. A negative amount only moves the wall clock back. */
  advance(by: { ms?: number; seconds?: number; minutes?: number; hours?: number; days?: number }): void;
  /** Steps the wall clock to a moment, as an administrator does. No time passes. */
  set(moment: Date | string): void;
}

/** @param start default: 2026-01-15T12:00:00Z, in mid-month, so that tests can move in both directions within it. */
export function controllableClock(start: Date | string = '2026-01-15T12:00:00.000Z'): ControllableClock {
  let current = new Date(start).getTime();
  let passedMs = 0;
  return {
    now: () => new Date(current),
    nowMs: () => current,
    elapsed: () => passedMs,
    advance: ({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) => {
      const byMs = ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
      current += byMs;
      passedMs += Math.max(0, byMs);
    },
    set: (moment) => {
      current = new Date(moment).getTime();
    },
  };
}
