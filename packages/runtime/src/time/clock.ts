/** The clocks of the process as a dependency, so that tests control the time. Only this file reads a clock. */
export interface Clock {
  /** The wall clock, for dates that people and other systems see. It can step in either direction at any time. */
  now(): Date;
  /** The wall clock in milliseconds since 1970. */
  nowMs(): number;
  /**
   * Milliseconds since an arbitrary moment, by a clock that never steps: for durations, deadlines, leases and graces. Means nothing
   * to another process.
   */
  elapsed(): number;
}

/** `Clock.elapsed` of this process, for code whose tests need no control of the time. */
export function elapsed(): number {
  return performance.now();
}

export const systemClock: Clock = { now: () => new Date(), nowMs: () => Date.now(), elapsed };
