import { type Catalog, loadCatalog } from '@tollgate/catalog';
import {
  createEventTransport,
  createRelay,
  type EventTransport,
  eventTransportConfig,
  type Relay,
} from '@tollgate/events';
import { createPool } from '@tollgate/postgres';
import {
  type Clock,
  createLogger,
  type Logger,
  type Loop,
  type Stoppable,
  stopAll,
  systemClock,
} from '@tollgate/runtime';
import type pg from 'pg';
import { createProcessor, type Processor } from './clients/processor.js';
import type { Config } from './config.js';
import { AdmissionCatalog } from './operations/holds/admission-catalog.js';
import { OpenHoldCache } from './operations/holds/open-hold-cache.js';
import { loadSubject } from './operations/subjects/load-subject.js';
import { SubjectCache } from './operations/subjects/subject-cache.js';
import {
  LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  LOCKED_TENANT_LOCK_TIMEOUT_MS,
  POOL_LOCK_TIMEOUT_MS,
  WRITER_LOCK_TIMEOUT_MS,
} from './store/session-limits.js';
import { createThresholdWorker } from './workers/announce-thresholds.js';
import { createExpiryWorker } from './workers/expire-holds.js';
import { LedgerWriter } from './workers/ledger-writer.js';
import {
  createAutoTopUpWorker,
  createOrderWorker,
  createPeriodWorker,
  createWalletWorker,
} from './workers/payments.js';
import { Standstill } from './workers/standstill.js';
import { WriterConnection } from './workers/writer-connection.js';

export interface Context extends Stoppable {
  config: Config;
  logger: Logger;
  clock: Clock;
  pool: pg.Pool;
  catalog: Catalog;
  models: AdmissionCatalog;
  subjects: SubjectCache;
  openHolds: OpenHoldCache;
  lane: LedgerWriter;
  thresholds: Loop;
  /** Absent where nothing is bought by card. */
  processor: Processor | undefined;
  autoTopUps: Loop;
  /** Resolves open payment orders and undoes purchases of deleted customers. */
  orders: Loop;
  events: EventTransport;
  relay: Relay;
}

export interface ContextOverrides {
  logger?: Logger;
  clock?: Clock;
  /** A started transport that somebody else stops; for services that share one in a process. */
  transport?: EventTransport;
}

/** The only place that constructs. The schema is migrated before. */
export async function createContext(config: Config, overrides: ContextOverrides = {}): Promise<Context> {
  const logger = overrides.logger ?? createLogger('billing-ledger', config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const { url, schema, poolMax } = config.database;
  const pool = createPool({
    url,
    schema,
    max: poolMax,
    lockTimeoutMs: POOL_LOCK_TIMEOUT_MS,
    idleInTransactionTimeoutMs: LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    onIdleError: (err) => logger.warn({ err }, 'an idle database connection broke'),
  });
  const catalog = loadCatalog({
    ...(config.modelCatalogFile !== undefined && { overrideFile: config.modelCatalogFile }),
    sandbox: config.sandboxProvider,
  });
  const lane = createLane(url, schema, logger);
  const events = overrides.transport ?? (await startTransport(config, logger));
  const relay = createRelay({ pool, schema, source: '/tollgate/billing-ledger', transport: events, logger });
  const expiry = createExpiryWorker({
    pool,
    lane,
    logger,
    intervalMs: config.holdSweepIntervalMs,
    onEvents: () => relay.wake(),
  });
  const thresholds = createThresholdWorker({ pool, logger, onEvents: () => relay.wake() });
  const database = {
    stop: () => pool.end(),
  };
  const ctx: Context = {
    config,
    logger,
    clock,
    pool,
    catalog,
    models: new AdmissionCatalog(catalog),
    subjects: new SubjectCache(
      (principal) => loadSubject(pool, principal, clock.nowMs(), config.accountLimits),
      () => clock.nowMs(),
    ),
    openHolds: new OpenHoldCache(),
    lane,
    thresholds,
    processor: config.processor && createProcessor(config.processor),
    autoTopUps: createAutoTopUpWorker(config, logger, () => ctx),
    orders: createOrderWorker(config, logger, () => ctx),
    events,
    relay,
    stop: () =>
      stopAll(database, overrides.transport ? undefined : events, relay, thresholds, lane, expiry, ...payments),
  };
  const payments = [ctx.autoTopUps, ctx.orders, createPeriodWorker(ctx), createWalletWorker(ctx)];
  return ctx;
}

function createLane(url: string, schema: string, logger: Logger): LedgerWriter {
  const options = { url, schema };
  const writer = new WriterConnection({ ...options, name: 'lane', lockTimeoutMs: WRITER_LOCK_TIMEOUT_MS }, logger);
  const aside = new WriterConnection(
    { ...options, name: 'locked lane', lockTimeoutMs: LOCKED_TENANT_LOCK_TIMEOUT_MS },
    logger,
  );
  return new LedgerWriter(writer, aside, new Standstill(), logger);
}

async function startTransport(config: Config, logger: Logger): Promise<EventTransport> {
  const service = { name: 'billing-ledger', databaseUrl: config.database.url, logger };
  const transport = createEventTransport(eventTransportConfig(config.events, service));
  await transport.start();
  return transport;
}
