/** A clock that only moves when a test moves it. Implements the runtime's `Clock`. */
export interface ControllableClock {
  now(): Date;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Moves time forward, or back with a negative amount. */
  advance(by: { ms?: number; seconds?: number; minutes?: number; hours?: number; days?: number }): void;
  /** Jumps to a moment. */
  set(moment: Date | string): void;
}

/** @param start default: 2026-01-15T12:00:00Z, in mid-month, so that tests can move in both directions within it. */
export function controllableClock(start: Date | string = '2026-01-15T12:00:00.000Z'): ControllableClock {
  let current = new Date(start).getTime();
  return {
    now: () => new Date(current),
    nowMs: () => current,
    advance: ({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) => {
      current += ms + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    },
    set: (moment) => {
      current = new Date(moment).getTime();
    },
  };
}
