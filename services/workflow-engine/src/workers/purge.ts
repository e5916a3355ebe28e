import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { purgeBackground } from '../store/background/background-responses.js';
import { purgeBatches } from '../store/batches/batches.js';
import { purgeCreationKeys } from '../store/batches/creation-keys.js';
import { purgeFiles } from '../store/batches/files.js';
import type { Pool } from '../store/database.js';
import { purgePlans, purgeRuns } from '../store/runs/purge-runs.js';
import { purgeRunKeys } from '../store/runs/run-keys.js';

const INTERVAL_MS = 10 * 60_000;
const KEYS_PER_PASS = 5_000;
/** Small, because one run can have many thousands of rows. */
const RUNS_PER_PASS = 20;
const PLANS_PER_PASS = 500;
const BATCHES_PER_PASS = 100;
const RESPONSES_PER_PASS = 1_000;
/** Small, because a file has up to 200 MiB. */
const FILES_PER_PASS = 10;

/** Removes expired idempotency keys and files, runs, batches and background responses past their retention, and plans that are no longer used. */
export function createPurge(pool: Pool, logger: Logger, retentionMs: number): Loop {
  return createLoop({
    name: 'runs.purge',
    intervalMs: INTERVAL_MS,
    logger,
    run: async () => {
      const keys = await purgeRunKeys(pool, KEYS_PER_PASS);
      const runs = await purgeRuns(pool, retentionMs, RUNS_PER_PASS);
      const plans = await purgePlans(pool, retentionMs, PLANS_PER_PASS);
      const batchKeys = await purgeCreationKeys(pool, 'batch', KEYS_PER_PASS);
      const fileKeys = await purgeCreationKeys(pool, 'file', KEYS_PER_PASS);
      const batches = await purgeBatches(pool, retentionMs, BATCHES_PER_PASS);
      const files = await purgeFiles(pool, FILES_PER_PASS);
      const responses = await purgeBackground(pool, retentionMs, RESPONSES_PER_PASS);
      const isFull = {
        keys: Math.max(keys, batchKeys, fileKeys) === KEYS_PER_PASS,
        batches: batches === BATCHES_PER_PASS || responses === RESPONSES_PER_PASS,
      };
      const hasMore = runs === RUNS_PER_PASS || plans === PLANS_PER_PASS || files === FILES_PER_PASS;
      return hasMore || isFull.keys || isFull.batches;
    },
  });
}
