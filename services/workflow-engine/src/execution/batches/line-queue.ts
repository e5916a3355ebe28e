import { randomUUID } from 'node:crypto';
import { withTransaction } from '@tollgate/postgres';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { extendLineLeases, type LineItem, putBackLine } from '../../store/batches/batch-lines.js';
import { claimLines } from '../../store/batches/line-claim.js';
import { AccountRing } from '../../store/queues/walk.js';
import type { LeaseQueue } from '../requests/lease-pool.js';
import { advanceBatches } from './advance-batches.js';
import { ExpandedBytes } from './line-history.js';
import { type LineContext, runLine } from './run-line.js';

/** The lines of batches. Batches are advanced beside them. */
export function createLineQueue(parts: Omit<LineContext, 'expandedBytes'>, leaseMs: number): LeaseQueue<LineItem> {
  const ctx: LineContext = { ...parts, expandedBytes: new ExpandedBytes() };
  const { pool, logger } = ctx;
  const lease = { owner: randomUUID(), leaseMs };
  const ring = new AccountRing();
  return {
    name: 'batches',
    toKey: ({ batchId, line }) => `${batchId}/${line}`,
    async claim(held, { max, isFirst }) {
      if (isFirst) ring.startRound();
      const slots = Math.min(max, batchLimits.slots - held.length);
      if (slots <= 0) return { items: [] };
      const bytes = batchLimits.slotBytes - held.reduce((sum, item) => sum + item.bytes, 0);
      const bounds = { ...batchLimits, slots, bytes };
      const { items, next, hasSkipped } = await withTransaction(pool, (tx) => claimLines(tx, lease, bounds, ring.next));
      return { items, hasSkipped, hasMore: ring.advance(next) };
    },
    extend: (held) => extendLineLeases(pool, lease, held),
    putBack: (item) => putBackLine(pool, item, { delayMs: 0, next: 'recorded', counts: 'nothing' }),
    run: (item, signal) => runLine(ctx, item, signal),
    advance: () => advanceBatches(pool, logger),
  };
}
