import { ExactNumber } from '@tollgate/runtime/exact-json';
import type { z } from 'zod';
import { copyJson, type Json } from './json.js';
import { assignAtPointer, toPointer } from './json-pointer.js';

/**
 * Parses like `schema.safeParse`. A number with more digits than JavaScript represents is kept where the schema takes any JSON, and
 * rounded where it takes a number.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result;
  const exact = result.error.issues.filter(({ input }) => input instanceof ExactNumber);
  if (exact.length === 0) return result;
  const [first] = exact;
  if (first?.path.length === 0) return schema.safeParse(Number(value), { reportInput: true });
  const rounded = copyJson(value as Json);
  for (const { path, input } of exact) assignAtPointer(rounded, toPointer(path), Number(input));
  return schema.safeParse(rounded, { reportInput: true });
}
