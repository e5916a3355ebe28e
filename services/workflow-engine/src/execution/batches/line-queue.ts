import { randomUUID } from 'node:crypto';
import { withTransaction } from '@tollgate/postgres';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { claimLines, extendLineLeases, type LineItem, putBackLine } from '../../store/batches/batch-lines.js';
import type { LeaseQueue } from '../requests/lease-pool.js';
import { advanceBatches } from './advance-batches.js';
import { ExpandedBytes } from './line-history.js';
import { type LineContext, runLine } from './run-line.js';

/** The lines of batches. Batches are advanced beside them. */
export function createLineQueue(parts: Omit<LineContext, 'expandedBytes'>, leaseMs: number): LeaseQueue<LineItem> {
  const ctx: LineContext = { ...parts, expandedBytes: new ExpandedBytes() };
  const { pool, logger } = ctx;
  const lease = { owner: randomUUID(), leaseMs };
  return {
    name: 'batches',
    toKey: ({ batchId, line }) => `${batchId}/${line}`,
    async claim(held) {
      const slots = batchLimits.slots - held.length;
      if (slots <= 0) return [];
      const { accountConcurrency: perAccount, accountBytes, slotBytes } = batchLimits;
      const bytes = slotBytes - held.reduce((sum, item) => sum + item.bytes, 0);
      return withTransaction(pool, (tx) => claimLines(tx, lease, { slots, perAccount, bytes, accountBytes }));
    },
    extend: (held) => extendLineLeases(pool, lease, held),
    putBack: (item) => putBackLine(pool, item, { delayMs: 0, next: 'recorded', countsAsTry: false }),
    run: (item, signal) => runLine(ctx, item, signal),
    advance: () => advanceBatches(pool, logger),
  };
}
