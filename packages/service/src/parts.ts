import {
  createEventTransport,
  createRelay,
  type EventTransport,
  eventTransportConfig,
  observeOutbox,
  type Relay,
  type RelayOptions,
} from '@tollgate/events';
import { type Metrics, MetricsRegistry } from '@tollgate/metrics';
import { createPool, type PoolOptions, prismaAdapter, prismaTransactions } from '@tollgate/postgres';
import { GrpcNetwork, type LocalNetwork, type Network } from '@tollgate/rpc';
import { type Clock, createLogger, type Logger, type Stoppable, stopAll, systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import type { ServiceConfig } from './define-config.js';
import { Health } from './health/health.js';
import type { HealthPort } from './health/health-port.js';
import { outboxCheck } from './health/standard-checks.js';
import { observePools } from './metrics/observe-pools.js';

/** Parts that several services of one process share, or that a test replaces. The caller stops them. */
export interface SharedParts {
  /** Connects the services of one process; without it the service opens a gRPC port and calls peers over gRPC. */
  network?: LocalNetwork | undefined;
  /** A started event transport. */
  transport?: EventTransport | undefined;
  /** The metrics of the process. Their owner serves and sends them, and adds the series of the process. */
  metrics?: MetricsRegistry | undefined;
  /** Serves the probes of the process. */
  health?: HealthPort | undefined;
  logger?: Logger | undefined;
  clock?: Clock | undefined;
  /** Aborted when the process receives a signal to stop: ends a start that waits for its database. */
  stopping?: AbortSignal | undefined;
}

/** A generated Prisma client, as far as the chassis uses it. */
interface PrismaConnection {
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
}

export interface PrismaOptions {
  adapter: ReturnType<typeof prismaAdapter>;
  transactionOptions: typeof prismaTransactions;
}

/** The parts that a service is built from. Everything opened or kept here is stopped in reverse order. */
export interface Parts<Config extends ServiceConfig = ServiceConfig> extends Stoppable {
  /** The service's name. */
  name: string;
  config: Config;
  logger: Logger;
  clock: Clock;
  /** Whether all services share this process, so that they have one version. */
  sharesProcess: boolean;
  /** Reports the service's dependencies and whether it should get requests. */
  health: Health;
  /** The service's instruments. */
  metrics: Metrics;
  /** The metrics of all services of the process. */
  processMetrics: MetricsRegistry;
  /** Makes the clients of the services that this one calls. */
  network: Network;
  /** Opens a pool on the service's schema, by default with DATABASE_POOL_MAX connections. Logs lost idle connections. */
  openPool(options?: Partial<PoolOptions>): pg.Pool;
  /** Opens the generated Prisma client that `create` makes on the pool. */
  openPrisma<Client extends PrismaConnection>(pool: pg.Pool, create: (options: PrismaOptions) => Client): Client;
  /** Starts to publish the service's outbox. */
  openRelay(pool: pg.Pool, options?: Pick<RelayOptions, 'companion'>): Promise<Relay>;
  /** Returns the event transport; opens it at the first call. A failed call may be repeated. */
  openTransport(): Promise<EventTransport>;
  /** Loads the query compilers of Prisma clients, which the first request would load otherwise. */
  connect(): Promise<void>;
  /** Stops the part when the service stops, before everything that was kept or opened earlier. */
  keep<Part extends Stoppable>(part: Part): Part;
}

/** Opens the parts of the service `name`. Its schema must be migrated before the first statement. */
export function openParts<Config extends ServiceConfig>(
  name: string,
  config: Config,
  shared: SharedParts = {},
): Parts<Config> {
  const logger = shared.logger ?? createLogger(name, config.logLevel);
  const clock = shared.clock ?? systemClock;
  const { url, schema, poolMax } = config.database;
  const processMetrics = shared.metrics ?? new MetricsRegistry({ logger });
  const kept: Stoppable[] = [];
  const prismaClients: PrismaConnection[] = [];
  const pools = new Map<string, pg.Pool>();

  function keep<Part extends Stoppable>(part: Part): Part {
    kept.push(part);
    return part;
  }

  function openMetrics(): Metrics {
    keep({ stop: async () => processMetrics.remove(name) });
    const metrics = processMetrics.forService(name);
    observePools(metrics, pools);
    return metrics;
  }

  function openNetwork(): Network {
    if (shared.network) return shared.network;
    const network = new GrpcNetwork({ addresses: config.peers, tls: config.tls });
    keep({ stop: () => network.close() });
    return network;
  }

  const openTransport = openOnce(() => startTransport(name, config, logger), shared.transport, keep);
  const metrics = openMetrics();
  const health = new Health(clock, logger);
  return {
    name,
    config,
    logger,
    clock,
    sharesProcess: shared.network !== undefined,
    health,
    metrics,
    processMetrics,
    network: openNetwork(),
    keep,
    openTransport,
    openPool(options) {
      const onIdleError = (err: Error) => logger.warn({ err }, 'idle database connection lost');
      const pool = createPool({ url, schema, max: poolMax, onIdleError, ...options });
      keep({ stop: () => pool.end() });
      pools.set(options?.applicationName ?? (pools.size === 0 ? 'main' : `main_${pools.size + 1}`), pool);
      return pool;
    },
    openPrisma(pool, create) {
      const client = create({ adapter: prismaAdapter(pool, schema), transactionOptions: prismaTransactions });
      keep({ stop: () => client.$disconnect() });
      prismaClients.push(client);
      return client;
    },
    async connect() {
      await Promise.all(prismaClients.map((client) => client.$connect()));
    },
    async openRelay(pool, options) {
      const source = `/tollgate/${name}`;
      health.watch(outboxCheck(observeOutbox(metrics, pool)));
      return keep(createRelay({ ...options, pool, schema, source, transport: await openTransport(), logger }));
    },
    stop: () => stopAll(...kept.splice(0)),
  };
}

/** Returns a function that opens the transport at its first call, and again after a call that failed. */
function openOnce(
  open: () => Promise<EventTransport>,
  shared: EventTransport | undefined,
  keep: Parts['keep'],
): () => Promise<EventTransport> {
  let transport: Promise<EventTransport> | undefined;
  let isKept = false;
  return async () => {
    if (shared) return shared;
    // Kept before it is open, so that a stop also closes a transport that is still opening.
    if (!isKept) keep({ stop: async () => (await transport?.catch(() => undefined))?.stop() });
    isKept = true;
    transport ??= open();
    try {
      return await transport;
    } catch (error) {
      transport = undefined;
      throw error;
    }
  };
}

async function startTransport(name: string, config: ServiceConfig, logger: Logger): Promise<EventTransport> {
  if (!config.events) throw new Error(`${name} has no event settings: its configuration must say usesEvents`);
  const databaseUrl = config.database.url;
  const opened = await createEventTransport(eventTransportConfig(config.events, { name, databaseUrl, logger }));
  try {
    await opened.start();
  } catch (error) {
    await opened.stop();
    throw error;
  }
  return opened;
}
