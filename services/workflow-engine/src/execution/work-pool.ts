import { randomUUID } from 'node:crypto';
import { isTransientError } from '@tollgate/errors';
import { backoffMs, LeasePool, type Logger } from '@tollgate/runtime';
import type { WorkItem } from '../domain/run/work-item.js';
import type { Pool } from '../store/database.js';
import { claimWork, extendLeases, type Lease, putBackWork } from '../store/queues/run-work.js';

export interface WorkPoolOptions {
  pool: Pool;
  logger: Logger;
  /** The leases of this process. */
  lease: Lease;
  /**
   * Does one piece of work. `signal` aborts when the lease is lost. Throwing re-queues the work with backoff; throwing
   * `PeerUnavailable` does so without counting as a failed try.
   */
  run: (item: WorkItem, signal: AbortSignal) => Promise<void>;
  slots: number;
  heartbeatMs: number;
  pollMs: number;
  drainMs: number;
  /** Called for each piece of work whose lease is lost. */
  onLeaseLost?: (() => void) | undefined;
}

/** Runs the nodes and alarms of runs. */
export type WorkPool = LeasePool<WorkItem, bigint>;

const PAUSE = { minMs: 250, maxMs: 30_000 };
/** The longest delay of work that waits for a peer. */
const WAIT = { minMs: 250, maxMs: 4_000 };

/**
 * Re-queues work because a peer is unavailable. It does not count as a failed try; the work's own deadline limits it.
 */
export class PeerUnavailable extends Error {
  override readonly name = 'PeerUnavailable';
}

export function createWorkPool(options: WorkPoolOptions): WorkPool {
  const { pool, logger, lease, run, slots, heartbeatMs, pollMs, drainMs, onLeaseLost } = options;
  const { leaseMs } = lease;
  return new LeasePool<WorkItem, bigint>({
    logger,
    slots,
    leaseMs,
    heartbeatMs,
    pollMs,
    drainMs,
    onLeaseLost,
    isTransient: isTransientError,
    queue: {
      name: 'work',
      toKey: ({ workId }) => workId,
      toFields: ({ runId, nodeId, kind, retries, waits }) => ({ run_id: runId, node_id: nodeId, kind, retries, waits }),
      // Starts at a random project id, so that no project is always first.
      claim: async (_held, { max }) => ({ items: await claimWork(pool, lease, { max, from: randomUUID() }) }),
      extend: (held) => extendLeases(pool, lease, held),
      run,
      async putBack(item, failure) {
        const isWait = failure?.error instanceof PeerUnavailable;
        const delayMs = Math.round(
          failure ? (isWait ? backoffMs(item.waits + 1, WAIT) : pauseBefore(item.retries + 1)) : 0,
        );
        await putBackWork(pool, item, { delayMs, counts: failure ? (isWait ? 'wait' : 'retry') : 'nothing' });
        return delayMs;
      },
    },
  });
}

export function pauseBefore(retry: number): number {
  return Math.round(backoffMs(retry, PAUSE));
}
