import { randomUUID } from 'node:crypto';
import { isTransientError } from '@tollgate/errors';
import { KeyRing, withTransaction } from '@tollgate/postgres';
import { backoffMs, LeasePool, type LeasePoolOptions, type LeaseQueue, type Logger } from '@tollgate/runtime';
import type { Config } from '../../config.js';
import type { Pool } from '../../store/database.js';
import type { ClaimedRequest, RequestStore } from '../../store/queues/queued-requests.js';
import { type ClaimBounds, weigh } from '../../store/queues/queued-requests.js';
import type { Dependencies } from './dependency.js';

export interface RequestPoolOptions<Item> extends Pick<LeaseQueue<Item>, 'name' | 'run' | 'advance'> {
  pool: Pool;
  logger: Logger;
  dependencies: Dependencies;
  store: RequestStore<Item>;
  limits: Omit<ClaimBounds, 'bytes'> & { slotBytes: number };
  work: Pick<Config['work'], 'leaseMs' | 'heartbeatMs' | 'pollMs' | 'drainMs'>;
}

export type RequestPool<Item> = LeasePool<Item, string>;

const SPACING_MS = 20;
/** Requests continue soon after an outage. */
export const WAIT = { minMs: 500, maxMs: 15_000 };

/** Runs the requests of a table in slots of their own, so that runs never wait for them. */
export function createRequestPool<Item extends ClaimedRequest>(options: RequestPoolOptions<Item>): RequestPool<Item> {
  const { logger, dependencies, limits, work } = options;
  const { leaseMs, heartbeatMs, pollMs, drainMs } = work;
  const pool: LeasePoolOptions<Item, string> = {
    queue: createRequestQueue(options),
    logger,
    slots: limits.slots,
    leaseMs,
    heartbeatMs,
    pollMs,
    drainMs,
    spacingMs: SPACING_MS,
    claimsAfterEach: true,
    dependencies: Object.values(dependencies),
    isTransient: isTransientError,
  };
  return new LeasePool(pool);
}

function createRequestQueue<Item extends ClaimedRequest>(options: RequestPoolOptions<Item>): LeaseQueue<Item, string> {
  const { name, pool, store, work, limits, run, advance } = options;
  const lease = { owner: randomUUID(), leaseMs: work.leaseMs };
  const ring = new KeyRing();
  return {
    name,
    toKey: store.toKey,
    toFields: (item) => ({ queue: name, key: store.toKey(item) }),
    async claim(held, { max, isFirst }) {
      if (isFirst) ring.startRound();
      const bytes = limits.slotBytes - held.reduce((sum, item) => sum + weigh(item.bytes, limits), 0);
      const bounds = { ...limits, slots: max, bytes };
      const { items, next, hasSkipped } = await withTransaction(pool, (tx) =>
        store.claim(tx, lease, bounds, ring.next),
      );
      return { items, hasSkipped, hasMore: ring.advance(next) };
    },
    extend: (held) => store.extend(pool, lease, held),
    async putBack(item, failure) {
      const delayMs = failure ? backoffMs(item.waits + 1, WAIT) : 0;
      await store.putBack(pool, item, { delayMs, next: 'recorded', counts: failure ? 'wait' : 'nothing' });
      return delayMs;
    },
    run,
    ...(advance && { advance }),
  };
}
