import { createPool, prismaAdapter, QUEUE_SESSION_SETTINGS } from '@tollgate/postgres';
import { type Clock, createLogger, type Logger, systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import { createEndpointClient, type EndpointClient, type NameOptions } from './clients/endpoint-client.js';
import { createHookClient, type HookClient } from './clients/hook-client.js';
import type { Config } from './config.js';
import type { EndpointRules } from './domain/endpoint-rules.js';
import type { Keyring } from './domain/secret-box.js';
import { PrismaClient } from './store/generated/client.js';

export interface Context {
  logger: Logger;
  clock: Clock;
  pool: pg.Pool;
  /** For the queue's statements; see QUEUE_SESSION_SETTINGS. */
  queuePool: pg.Pool;
  prisma: PrismaClient;
  endpoints: EndpointClient;
  hooks: HookClient;
  keyring: Keyring;
  endpointRules: EndpointRules;
  limits: Config['limits'];
  /** Tells the delivery worker of this process that deliveries were queued. */
  wakeDeliveries(): void;
  onWakeDeliveries(wake: () => void): void;
  /** Ends the connections. */
  stop(): Promise<void>;
}

export interface Given {
  logger?: Logger;
  clock?: Clock;
  /** How the host names of endpoints are resolved. */
  names?: NameOptions;
}

export function createContext(config: Config, given: Given = {}): Context {
  const logger = given.logger ?? createLogger('hooks-webhooks', config.logLevel);
  const { url, schema, poolMax, queuePoolMax } = config.database;
  const onIdleError = (err: Error) => logger.warn({ err }, 'an idle database connection broke');
  const pool = createPool({ url, schema, max: poolMax, onIdleError });
  const queuePool = createPool({ url, schema, max: queuePoolMax, onIdleError, settings: QUEUE_SESSION_SETTINGS });
  const prisma = new PrismaClient({ adapter: prismaAdapter(pool, schema) });
  const { concurrency } = config.limits;
  const allowPrivate = config.allowPrivateEndpoints;
  const endpoints = createEndpointClient({ allowPrivate, concurrency, names: given.names });
  const hooks = createHookClient({ allowPrivate, names: given.names });
  let wake = () => {};
  return {
    logger,
    clock: given.clock ?? systemClock,
    pool,
    queuePool,
    prisma,
    endpoints,
    hooks,
    keyring: config.keyring,
    endpointRules: { allowPrivate },
    limits: config.limits,
    wakeDeliveries: () => wake(),
    onWakeDeliveries(next) {
      wake = next;
    },
    async stop() {
      await Promise.all([endpoints.stop(), hooks.stop()]);
      await prisma.$disconnect();
      await Promise.all([pool.end(), queuePool.end()]);
    },
  };
}
