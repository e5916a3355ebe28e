import { randomUUID } from 'node:crypto';
import { KeyRing, withTransaction } from '@tollgate/postgres';
import type { Pool } from '../../store/database.js';
import { type ClaimBounds, weigh } from '../../store/queues/claim-requests.js';
import type { ClaimedRequest, RequestStore } from '../../store/queues/queued-requests.js';
import type { LeaseQueue } from './lease-pool.js';

export interface RequestQueueOptions<Item> extends Pick<LeaseQueue<Item>, 'name' | 'run' | 'advance'> {
  pool: Pool;
  store: RequestStore<Item>;
  leaseMs: number;
  limits: Omit<ClaimBounds, 'bytes'> & { slotBytes: number };
}

/** The requests of a table, as a pool runs them. */
export function createRequestQueue<Item extends ClaimedRequest>(options: RequestQueueOptions<Item>): LeaseQueue<Item> {
  const { name, pool, store, leaseMs, limits, run, advance } = options;
  const lease = { owner: randomUUID(), leaseMs };
  const ring = new KeyRing();
  return {
    name,
    toKey: store.toKey,
    async claim(held, { max, isFirst }) {
      if (isFirst) ring.startRound();
      const slots = Math.min(max, limits.slots - held.length);
      if (slots <= 0) return { items: [] };
      const bytes = limits.slotBytes - held.reduce((sum, item) => sum + weigh(item.bytes, limits), 0);
      const bounds = { ...limits, slots, bytes };
      const { items, next, hasSkipped } = await withTransaction(pool, (tx) =>
        store.claim(tx, lease, bounds, ring.next),
      );
      return { items, hasSkipped, hasMore: ring.advance(next) };
    },
    extend: (held) => store.extend(pool, lease, held),
    putBack: (item) => store.putBack(pool, item, { delayMs: 0, next: 'recorded', counts: 'nothing' }),
    run,
    ...(advance && { advance }),
  };
}
