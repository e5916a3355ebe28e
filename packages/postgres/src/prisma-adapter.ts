import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';

/**
 * Driver adapter for a generated Prisma client on an existing pool, so that a service's Prisma calls and its raw
 * statements share one set of connections. Disconnecting the client leaves the pool open; its owner ends it.
 */
export function prismaAdapter(pool: pg.Pool, schema: string): PrismaPg {
  return new PrismaPg(pool, { schema });
}
