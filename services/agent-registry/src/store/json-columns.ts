import type { z } from 'zod';
import type { Prisma } from './generated/client.js';

/** Parses the value of a JSON column. @throws Error naming the row when the value does not match the schema */
export function parseStored<T>(schema: z.ZodType<T>, value: unknown, row: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path = [], message } = result.error.issues[0] ?? {};
  throw new Error(`${row} is stored in an invalid form: ${path.join('.')} ${message}`, { cause: result.error });
}

/** Converts a value for a JSON column, without undefined members and with the order of keys. */
export function toJson(value: unknown): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value));
}
