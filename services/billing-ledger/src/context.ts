import { type Catalog, openCatalog } from '@tollgate/catalog';
import type { Relay } from '@tollgate/events';
import { observeQueue } from '@tollgate/metrics';
import { type Clock, type Logger, type Loop, Standstill } from '@tollgate/runtime';
import type { Keyring } from '@tollgate/runtime/secret-box';
import type { Parts } from '@tollgate/service';
import type { Processor } from './clients/processor.js';
import type { Config } from './config.js';
import { AdmissionCatalog } from './domain/price.js';
import { createLedgerMetrics, type LedgerMetrics, observeOpenHolds } from './metrics.js';
import { OpenHoldCache } from './operations/holds/settle-item.js';
import { toRequestCompleted } from './operations/holds/to-request-completed.js';
import { StatementReader } from './operations/reports/statement-reader.js';
import { loadSubject, SubjectCache } from './operations/subjects/load-subject.js';
import {
  LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  LOCKED_TENANT_LOCK_TIMEOUT_MS,
  POOL_LOCK_TIMEOUT_MS,
  type Pool,
  STATEMENT_POOL,
  WRITER_LOCK_TIMEOUT_MS,
} from './store/database.js';
import { readOpenHoldTotals } from './store/holds/open-holds.js';
import { readPendingUndos } from './store/payments/undone-orders.js';
import { createThresholdWorker } from './workers/announce-thresholds.js';
import { ProgressRecorder } from './workers/progress-recorder.js';
import { LedgerWriter } from './writer/ledger-writer.js';
import { WriterConnection } from './writer/writer-connection.js';

export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  pool: Pool;
  /** Reads statements, so that they never take the connections of admissions. */
  statements: StatementReader;
  catalog: Catalog;
  models: AdmissionCatalog;
  /** Seals the secrets of projects' connections; absent: projects cannot have any. */
  keyring: Keyring | undefined;
  subjects: SubjectCache;
  openHolds: OpenHoldCache;
  writer: LedgerWriter;
  /** Stores the progress of running requests, many in one statement. */
  progress: ProgressRecorder;
  thresholds: Loop;
  /** Absent: nothing can be bought by card. */
  processor: Processor | undefined;
  autoTopUps: Loop;
  /** Resolves open payment orders and refunds purchases of deleted customers. */
  orders: Loop;
  relay: Relay;
  /**
   * Stores `request.completed` beside `usage.recorded`, for a hooks-webhooks of another version. Not needed where all services
   * share a process, nor with Kafka, for which the relay makes it.
   */
  storesCompletions: boolean;
  metrics: LedgerMetrics;
}

/** Starts the payment workers. Passed in, because they import operations, which import `Context` from this file. */
export interface PaymentWorkers {
  autoTopUps(config: Config, logger: Logger, context: () => Context): Loop;
  orders(config: Config, logger: Logger, context: () => Context): Loop;
}

/** Constructs the context, and starts the workers that operations wake. */
export async function createContext(parts: Parts<Config>, payments: PaymentWorkers): Promise<Context> {
  const { config, logger, clock } = parts;
  for (const names of config.formerNames) logger.warn(names, 'setting has a deprecated name');
  const catalog = await openCatalog({
    ...(config.modelCatalogFile !== undefined && { overrideFile: config.modelCatalogFile }),
    sandbox: config.sandboxProvider,
    promptOverheadTokens: config.promptOverheadTokens,
  });
  const pool = parts.openPool({
    lockTimeoutMs: POOL_LOCK_TIMEOUT_MS,
    idleInTransactionTimeoutMs: LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  const relay = await parts.openRelay(pool, { companion: toRequestCompleted });
  const metrics = createLedgerMetrics(parts.metrics);
  observeOpenHolds(parts.metrics, () => readOpenHoldTotals(pool));
  observeQueue(parts.metrics, 'payment_undo', () => readPendingUndos(pool));
  const ctx: Context = {
    ...{ config, logger, clock, catalog, pool, relay, metrics },
    models: new AdmissionCatalog(catalog),
    keyring: config.keyring,
    processor: config.processor && (await loadProcessor(config.processor)),
    statements: new StatementReader(parts.openPool(STATEMENT_POOL)),
    subjects: new SubjectCache(
      (principal) => loadSubject(pool, principal, clock.nowMs(), config.accountLimits),
      () => clock.nowMs(),
    ),
    openHolds: new OpenHoldCache(),
    thresholds: parts.keep(createThresholdWorker({ pool, logger, onEvents: () => relay.wake() })),
    writer: parts.keep(createWriter(config.database, logger, metrics)),
    progress: new ProgressRecorder(pool, config.holdTtlMs),
    autoTopUps: parts.keep(payments.autoTopUps(config, logger, () => ctx)),
    orders: parts.keep(payments.orders(config, logger, () => ctx)),
    storesCompletions: !parts.sharesProcess && !config.events?.KAFKA_BROKERS?.length,
  };
  return ctx;
}

/** Loads the processor's library only where a key is set. */
async function loadProcessor(options: NonNullable<Config['processor']>): Promise<Processor> {
  const { createProcessor } = await import('./clients/create-processor.js');
  return createProcessor(options);
}

function createWriter(options: Config['database'], logger: Logger, metrics: LedgerMetrics): LedgerWriter {
  const connection = new WriterConnection({ ...options, name: 'lane', lockTimeoutMs: WRITER_LOCK_TIMEOUT_MS }, logger);
  const aside = new WriterConnection(
    { ...options, name: 'locked lane', lockTimeoutMs: LOCKED_TENANT_LOCK_TIMEOUT_MS },
    logger,
  );
  return new LedgerWriter({ connection, aside, standstill: new Standstill(), logger, metrics });
}
