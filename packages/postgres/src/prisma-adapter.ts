import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';

/**
 * Driver adapter for a generated Prisma client on an existing pool, so that a service's Prisma calls and its raw
 * statements share one set of connections. Disconnecting the client leaves the pool open; its owner ends it.
 */
export function prismaAdapter(pool: pg.Pool, schema: string): PrismaPg {
  return new PrismaPg(pool, { schema });
}

/**
 * `transactionOptions` of a Prisma client. Starting is bounded by the pool, each statement by the server, and a forgotten
 * transaction too; Prisma's own bounds (2 s to start, 5 s in all) would refuse on a busy machine what is about to be done.
 */
export const prismaTransactions = { maxWait: 15_000, timeout: 60_000 };
