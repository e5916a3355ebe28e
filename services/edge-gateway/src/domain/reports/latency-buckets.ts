/**
 * Buckets of latencies, whose counts add up over hours. Milliseconds below {@link EXACT_MS} have a bucket each. From there on, every
 * power of two is divided into {@link PARTS} buckets of one width, and a bucket stands for its middle: the error is at most
 * 1 / (2 × PARTS), which is 0.8 %. Stored counts refer to these buckets: another division needs new columns.
 */
const PARTS = 64;
const EXACT_MS = 2 * PARTS;
/** 2^40 ms are 34 years; longer ones share a bucket. */
const MS_MAX = 2 ** 40;

export function toLatencyBucket(ms: number): number {
  const bounded = Math.min(ms, MS_MAX);
  if (bounded < EXACT_MS) return bounded;
  const power = Math.floor(Math.log2(bounded + 0.5)) - Math.log2(PARTS);
  return power * PARTS + Math.floor(bounded / 2 ** power);
}

/** Returns the milliseconds that a bucket stands for. */
export function fromLatencyBucket(bucket: number): number {
  if (bucket < EXACT_MS) return bucket;
  const power = Math.floor(bucket / PARTS) - 1;
  return Math.floor((bucket - power * PARTS + 0.5) * 2 ** power - 0.5);
}

/** The SQL of `toLatencyBucket`. Half a millisecond keeps the logarithm away from whole numbers, where it is inexact. */
export function toLatencyBucketSql(ms: string): string {
  const bounded = `least(${ms}, ${MS_MAX})`;
  const power = `floor(ln((${bounded} + 0.5)::float8) / ln(2.0::float8))::int - ${Math.log2(PARTS)}`;
  return `CASE WHEN ${ms} < ${EXACT_MS} THEN ${ms}::int
    WHEN ${ms} >= ${EXACT_MS} THEN (${power}) * ${PARTS} + (${bounded} >> (${power}))::int END`;
}
