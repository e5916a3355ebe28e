import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import type pg from 'pg';
import { purgeRunKeys } from '../store/run-keys.js';

const INTERVAL_MS = 10 * 60_000;
const KEYS_PER_PASS = 5_000;

/** Removes idempotency keys that count no more. */
export function createKeyPurge(pool: pg.Pool, logger: Logger): Loop {
  return createLoop({
    name: 'run-keys.purge',
    intervalMs: INTERVAL_MS,
    logger,
    run: async () => (await purgeRunKeys(pool, KEYS_PER_PASS)) === KEYS_PER_PASS,
  });
}
