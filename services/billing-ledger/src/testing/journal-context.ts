import { MetricsRegistry } from '@tollgate/metrics';
import type { TestDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv } from '../config.js';
import { createLedgerMetrics } from '../metrics.js';

/** Returns the context of operations that read the journal, and of its audit, with the settings of `env`. */
export function journalContext(database: TestDatabase, env: NodeJS.ProcessEnv = {}, pool = database.pool) {
  const config = configFromEnv({
    JOURNAL_CLOSING_LAG: '1ms',
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    ...env,
  });
  const metrics = createLedgerMetrics(new MetricsRegistry().forService('billing-ledger'));
  return { config, logger: silentLogger, metrics, pool, closingLagMs: config.journal.closingLagMs };
}
