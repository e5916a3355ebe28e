/** The wall clock as a dependency, so that tests decide what time it is. */
export interface Clock {
  now(): Date;
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMs: () => Date.now(),
};
