import { setTimeout as sleep } from 'node:timers/promises';
import { isTransientError } from '@tollgate/errors';
import { backoffMs, elapsed, type Logger } from '@tollgate/runtime';
import type { Health } from './health/health.js';
import { toReason } from './health/reason.js';

const WAIT_MS = 60_000;
const PAUSE = { minMs: 100, maxMs: 2_000 };

export interface DatabaseWait {
  health: Pick<Health, 'startsWithout'>;
  logger: Logger;
  /** Ends the wait: no further attempt starts. */
  signal?: AbortSignal | undefined;
  waitMs?: number;
}

/**
 * Runs the first work on the database, and repeats it for a minute while the database is unavailable: a service may start before
 * its database, or during a failover. Rejected credentials and failed migrations are not repeated.
 *
 * @throws the error of the last attempt, or the reason of `signal` once it is aborted
 */
export async function awaitDatabase<Result>(
  work: () => Promise<Result>,
  { health, logger, signal, waitMs = WAIT_MS }: DatabaseWait,
): Promise<Result> {
  const deadline = elapsed() + waitMs;
  for (let failures = 1; ; failures++) {
    try {
      const result = await work();
      health.startsWithout(undefined);
      return result;
    } catch (err) {
      if (!isTransientError(err)) throw err;
      signal?.throwIfAborted();
      if (elapsed() >= deadline) throw err;
      const reason = toReason(err);
      health.startsWithout(`database: ${reason}`);
      logger.warn({ err, reason, failures }, 'database unavailable; the start waits for it');
      await sleep(backoffMs(failures, PAUSE), undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}
