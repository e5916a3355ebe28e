/** Cents that still are an exact number as microcents in JSON. */
export const CENTS_MAX = 9_000_000_000;
