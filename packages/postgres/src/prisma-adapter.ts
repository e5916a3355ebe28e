import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';

/**
 * Returns a driver adapter for a generated Prisma client on an existing pool, so that Prisma calls and raw statements share
 * one set of connections. Disconnecting the client leaves the pool open.
 */
export function prismaAdapter(pool: pg.Pool, schema: string): PrismaPg {
  return new PrismaPg(pool, { schema });
}

/**
 * `transactionOptions` of a Prisma client. The pool limits the start of a transaction, the server limits its statements and
 * its idle time. Prisma's own limits (2 s to start, 5 s in all) would fail transactions on a busy machine.
 */
export const prismaTransactions = { maxWait: 15_000, timeout: 60_000 };
