/** Cents whose value in microcents is still an exact number in JSON. */
export const CENTS_MAX = 9_000_000_000;
