import type { z } from 'zod';

/** Returns the value of a JSON column. @throws Error naming the row: nothing is decided by a value of another shape */
export function parseStored<T>(schema: z.ZodType<T>, value: unknown, row: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path = [], message } = result.error.issues[0] ?? {};
  throw new Error(`${row} is stored in an invalid form: ${path.join('.')} ${message}`, { cause: result.error });
}
