import { z } from 'zod';

const count = z.int().min(0);

/** How far the input of a batch is validated, between two steps. */
const batchValidation = z.object({
  /** Where the next line starts, and the lines before it. */
  place: z.object({ part: count, offset: count, line: count }),
  total: count,
  model: z.string().optional(),
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      line: z.number().nullable(),
      param: z.string().nullable(),
    }),
  ),
});

export type BatchValidation = z.output<typeof batchValidation>;

/** Reads the stored state of a validation; null before the first step. */
export function readValidation(stored: string | null): BatchValidation {
  if (stored === null) return { place: { part: 0, offset: 0, line: 0 }, total: 0, errors: [] };
  return batchValidation.parse(JSON.parse(stored));
}
