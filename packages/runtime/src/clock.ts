/** The wall clock as a dependency, so that tests control the time. */
export interface Clock {
  now(): Date;
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMs: () => Date.now(),
};
