import { createSealLoop, createVerifyLoop } from '@tollgate/ledger-audit';
import { createLoop, type Loop } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { deleteOldRows } from '../operations/delete-old-rows.js';

const RETENTION_INTERVAL_MS = 60_000;

/** Deletes rows past their retention. Runs on every replica; each skips the rows that another one has locked. */
export function createRetentionWorker(ctx: Pick<Context, 'config' | 'logger' | 'pool'>): Loop {
  return createLoop({
    name: 'billing retention',
    intervalMs: RETENTION_INTERVAL_MS,
    logger: ctx.logger,
    run: () => deleteOldRows(ctx),
  });
}

/** Seals the months of the journal and compares the balances with it. */
export function createAuditLoops(ctx: Pick<Context, 'config' | 'logger' | 'metrics' | 'pool'>): Loop[] {
  const { config, logger, metrics, pool } = ctx;
  const { closingLagMs } = config.journal;
  const onVerified = (differences: number): void => metrics.verified.everyone(differences);
  return [
    createSealLoop({ pool, logger, closingLagMs }),
    createVerifyLoop({ pool, logger, intervalMs: config.verifyIntervalMs, onVerified }),
  ];
}
