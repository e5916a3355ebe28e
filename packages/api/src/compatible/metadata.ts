import { z } from 'zod';

const PAIRS_MAX = 16;
const KEY_CHARS_MAX = 64;
const VALUE_CHARS_MAX = 512;

/** Pairs that a client adds to an object, within the vendor's limits. */
export const compatibleMetadata = z
  .record(z.string().max(KEY_CHARS_MAX), z.string().max(VALUE_CHARS_MAX))
  .refine((pairs) => Object.keys(pairs).length <= PAIRS_MAX, { error: `must have at most ${PAIRS_MAX} pairs` });
