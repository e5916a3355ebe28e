import type { Prisma } from './generated/client.js';

/** Converts a value for a JSON column, without undefined members and with the order of keys. */
export function toJson(value: unknown): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value));
}
