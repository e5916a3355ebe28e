import {
  createEventTransport,
  createRelay,
  type EventTransport,
  eventTransportConfig,
  type Relay,
} from '@tollgate/events';
import { createPool, prismaAdapter, prismaTransactions } from '@tollgate/postgres';
import { type Clock, createLogger, type Logger, type Stoppable, stopAll, systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import { createSqlParser, type SqlParser } from './clients/sql-parser.js';
import type { Config } from './config.js';
import { PrismaClient } from './store/generated/client.js';
import { createStateHandleSweeper } from './workers/sweep-state-handles.js';

export interface Context extends Stoppable {
  logger: Logger;
  clock: Clock;
  prisma: PrismaClient;
  /** For what is done under row locks in a statement or two. */
  pool: pg.Pool;
  sqlParser: SqlParser;
  /** Woken after every commit that appended an event. */
  relay: Pick<Relay, 'wake' | 'drain'>;
  events: Pick<EventTransport, 'subscribe'>;
}

export interface ContextOverrides {
  logger?: Logger;
  clock?: Clock;
  /** A started transport that the caller stops; for services that share one in a process. */
  transport?: EventTransport;
}

/** The schema is migrated before. */
export async function createContext(config: Config, overrides: ContextOverrides = {}): Promise<Context> {
  const logger = overrides.logger ?? createLogger('agent-registry', config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const { url, schema, poolMax } = config.database;
  const onIdleError = (err: Error) => logger.warn({ err }, 'an idle database connection broke');
  const pool = createPool({ url, schema, max: poolMax, onIdleError });
  const prisma = new PrismaClient({ adapter: prismaAdapter(pool, schema), transactionOptions: prismaTransactions });
  const database = {
    async stop() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
  const service = { name: 'agent-registry', databaseUrl: url, logger };
  const transport = overrides.transport ?? createEventTransport(eventTransportConfig(config.events, service));
  const own = overrides.transport ? undefined : transport;
  try {
    await prisma.$connect(); // loads its query compiler now, not under the first request
    await own?.start();
  } catch (error) {
    await stopAll(database, own);
    throw error;
  }
  const relay = createRelay({ pool, schema, source: '/tollgate/agent-registry', transport, logger });
  const sweeper = createStateHandleSweeper({ db: pool, clock, logger, intervalMs: config.stateSweepIntervalMs });
  const sqlParser = createSqlParser();
  const stop = () => stopAll(database, own, relay, sweeper, sqlParser);
  return { logger, clock, prisma, pool, sqlParser, relay, events: transport, stop };
}
