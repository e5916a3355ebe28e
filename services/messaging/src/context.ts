import { createPool, prismaAdapter, prismaTransactions } from '@tollgate/postgres';
import { type Clock, createLogger, type Logger, systemClock } from '@tollgate/runtime';
import type { Config } from './config.js';
import { PrismaClient } from './store/generated/client.js';

export interface Context {
  logger: Logger;
  clock: Clock;
  prisma: PrismaClient;
  /** Ends the connections. */
  stop(): Promise<void>;
}

/** The schema is migrated before. */
export async function createContext(config: Config, given: { logger?: Logger; clock?: Clock } = {}): Promise<Context> {
  const logger = given.logger ?? createLogger('messaging', config.logLevel);
  const { url, schema, poolMax } = config.database;
  const onIdleError = (err: Error) => logger.warn({ err }, 'an idle database connection broke');
  const pool = createPool({ url, schema, max: poolMax, onIdleError });
  const prisma = new PrismaClient({ adapter: prismaAdapter(pool, schema), transactionOptions: prismaTransactions });
  await prisma.$connect(); // loads its query compiler now, not under the first request
  return {
    logger,
    clock: given.clock ?? systemClock,
    prisma,
    async stop() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
