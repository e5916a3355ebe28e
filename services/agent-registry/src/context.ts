import type { Relay } from '@tollgate/events';
import type { Clock, Logger } from '@tollgate/runtime';
import type { Parts } from '@tollgate/service';
import type pg from 'pg';
import { SqlCheckThread } from './clients/sql-check-thread.js';
import type { Config } from './config.js';
import { PrismaClient } from './store/generated/client.js';

export interface Context {
  logger: Logger;
  clock: Clock;
  prisma: PrismaClient;
  /** For short transactions under row locks. */
  pool: pg.Pool;
  sqlChecks: SqlCheckThread;
  /** Woken after every commit that appended an event. */
  relay: Pick<Relay, 'wake' | 'drain'>;
}

/** Constructs what the operations use. */
export async function createContext(parts: Parts<Config>): Promise<Context> {
  const { logger, clock } = parts;
  const pool = parts.openPool();
  const prisma = parts.openPrisma(pool, (options) => new PrismaClient(options));
  const relay = await parts.openRelay(pool);
  const sqlChecks = parts.keep(new SqlCheckThread());
  return { logger, clock, prisma, pool, sqlChecks, relay };
}
