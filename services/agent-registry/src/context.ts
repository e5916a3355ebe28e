import { createEventTransport, createRelay, type Relay } from '@tollgate/events';
import { createPool, prismaAdapter } from '@tollgate/postgres';
import { type Clock, createLogger, type Logger, type Stoppable, stopAll, systemClock } from '@tollgate/runtime';
import type { Config } from './config.js';
import { PrismaClient } from './store/generated/client.js';
import { createStateHandleSweeper } from './workers/sweep-state-handles.js';

export interface Context extends Stoppable {
  logger: Logger;
  clock: Clock;
  prisma: PrismaClient;
  /** Woken after every commit that appended an event. */
  relay: Pick<Relay, 'wake' | 'drain'>;
}

/** The schema is migrated before. */
export async function createContext(config: Config, given: { logger?: Logger; clock?: Clock } = {}): Promise<Context> {
  const logger = given.logger ?? createLogger('agent-registry', config.logLevel);
  const clock = given.clock ?? systemClock;
  const { url, schema, poolMax } = config.database;
  const onIdleError = (err: Error) => logger.warn({ err }, 'an idle database connection broke');
  const pool = createPool({ url, schema, max: poolMax, onIdleError });
  const prisma = new PrismaClient({ adapter: prismaAdapter(pool, schema) });
  const database = {
    async stop() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
  const transport = createEventTransport({
    kafka: { brokers: config.kafkaBrokers, clientId: 'agent-registry' },
    databaseUrl: url,
    logger,
  });
  try {
    await prisma.$connect(); // loads its query compiler now, not under the first request
    await transport.start();
  } catch (error) {
    await stopAll(database, transport);
    throw error;
  }
  const relay = createRelay({ pool, schema, source: '/tollgate/agent-registry', transport, logger });
  const sweeper = createStateHandleSweeper({ db: prisma, clock, logger, intervalMs: config.stateSweepIntervalMs });
  return { logger, clock, prisma, relay, stop: () => stopAll(database, transport, relay, sweeper) };
}
