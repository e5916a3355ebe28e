import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import type { Pool } from '../store/database.js';
import { purgePlans, purgeRuns } from '../store/purge-runs.js';
import { purgeRunKeys } from '../store/run-keys.js';

const INTERVAL_MS = 10 * 60_000;
const KEYS_PER_PASS = 5_000;
/** Small, because one run can have many thousands of rows. */
const RUNS_PER_PASS = 20;
const PLANS_PER_PASS = 500;

/** Removes expired idempotency keys, runs past their retention, and plans that are no longer used. */
export function createPurge(pool: Pool, logger: Logger, retentionMs: number): Loop {
  return createLoop({
    name: 'runs.purge',
    intervalMs: INTERVAL_MS,
    logger,
    run: async () => {
      const keys = await purgeRunKeys(pool, KEYS_PER_PASS);
      const runs = await purgeRuns(pool, retentionMs, RUNS_PER_PASS);
      const plans = await purgePlans(pool, retentionMs, PLANS_PER_PASS);
      return keys === KEYS_PER_PASS || runs === RUNS_PER_PASS || plans === PLANS_PER_PASS;
    },
  });
}
