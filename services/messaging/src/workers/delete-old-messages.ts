import type { Queryable } from '@tollgate/postgres';
import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { deleteOldMessages } from '../store/retention.js';

const INTERVAL_MS = 60_000;
const BATCH_MAX = 1_000;

/** Deletes messages past their retention. Runs on every replica; each skips the rows that another one has locked. */
export function createRetentionWorker(deps: { pool: Queryable; logger: Logger; days: number }): Loop {
  return createLoop({
    name: 'message retention',
    intervalMs: INTERVAL_MS,
    logger: deps.logger,
    run: async () => (await deleteOldMessages(deps.pool, deps.days, BATCH_MAX)) === BATCH_MAX,
  });
}
