import { createLoop, type Loop } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { deleteOldRows } from '../operations/journal/delete-old-rows.js';
import { sealJournal } from '../operations/journal/seal-journal.js';
import { verifyOpenMonths } from '../operations/journal/verify-open-months.js';

const SEAL_INTERVAL_MS = 60_000;
const RETENTION_INTERVAL_MS = 60_000;

/** Seals closed months of the journal. Runs on every replica; the lock on the month decides who takes a step. */
export function createSealWorker(ctx: Pick<Context, 'config' | 'logger' | 'pool'>): Loop {
  return createLoop({
    name: 'seal-journal',
    intervalMs: SEAL_INTERVAL_MS,
    logger: ctx.logger,
    run: () => sealJournal(ctx),
  });
}

/** Deletes rows past their retention. Runs on every replica; each skips the rows that another one has locked. */
export function createRetentionWorker(ctx: Pick<Context, 'config' | 'logger' | 'pool'>): Loop {
  return createLoop({
    name: 'billing retention',
    intervalMs: RETENTION_INTERVAL_MS,
    logger: ctx.logger,
    run: () => deleteOldRows(ctx),
  });
}

/** Verifies the ledger at an interval, first one interval after the start. Every replica reports its own result. */
export function createVerifyWorker(ctx: Pick<Context, 'config' | 'logger' | 'metrics' | 'pool'>): Loop {
  let isDue = false;
  return createLoop({
    name: 'verify ledger',
    intervalMs: ctx.config.verifyIntervalMs,
    logger: ctx.logger,
    async run(signal) {
      if (isDue) await verifyOpenMonths(ctx, signal);
      isDue = true;
    },
  });
}
