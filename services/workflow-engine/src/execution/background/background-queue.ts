import { randomUUID } from 'node:crypto';
import { withTransaction } from '@tollgate/postgres';
import { backgroundLimits } from '../../domain/background/background-limits.js';
import { claimBackground } from '../../store/background/background-claim.js';
import {
  type BackgroundItem,
  extendBackgroundLeases,
  putBackBackground,
} from '../../store/background/background-queue.js';
import { AccountRing } from '../../store/queues/walk.js';
import type { LeaseQueue } from '../requests/lease-pool.js';
import { type BackgroundContext, runBackground } from './run-background.js';

/** The responses that are made in the background. */
export function createBackgroundQueue(ctx: BackgroundContext, leaseMs: number): LeaseQueue<BackgroundItem> {
  const { pool } = ctx;
  const lease = { owner: randomUUID(), leaseMs };
  const ring = new AccountRing();
  return {
    name: 'background',
    toKey: ({ id }) => id,
    async claim(held, { max, isFirst }) {
      if (isFirst) ring.startRound();
      const slots = Math.min(max, backgroundLimits.slots - held.length);
      if (slots <= 0) return { items: [] };
      const bytes = backgroundLimits.slotBytes - held.reduce((sum, item) => sum + countLargeBytes(item), 0);
      const bounds = { ...backgroundLimits, slots, bytes };
      const { items, next, hasSkipped } = await withTransaction(pool, (tx) =>
        claimBackground(tx, lease, bounds, ring.next),
      );
      return { items, hasSkipped, hasMore: ring.advance(next) };
    },
    extend: (held) => extendBackgroundLeases(pool, lease, held),
    putBack: (item) => putBackBackground(pool, item, { delayMs: 0, next: 'recorded', counts: 'nothing' }),
    run: (item, signal) => runBackground(ctx, item, signal),
  };
}

/** Small requests never wait for others to leave memory, so they do not count. */
function countLargeBytes({ bytes }: BackgroundItem): number {
  const { smallBytes, requestBytes } = backgroundLimits;
  return bytes <= smallBytes ? 0 : Math.min(bytes, requestBytes);
}
