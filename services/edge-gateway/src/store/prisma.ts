import { Prisma, type PrismaClient } from './generated/client.js';

/** The client or an open interactive transaction. */
export type Db = PrismaClient | Prisma.TransactionClient;

const UNIQUE_VIOLATION = 'P2002';

/** Returns whether a statement failed because a row with the same unique key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === UNIQUE_VIOLATION;
}
