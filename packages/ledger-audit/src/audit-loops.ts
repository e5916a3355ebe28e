import { createLoop, type Loop } from '@tollgate/runtime';
import { type SealContext, sealJournal } from './seal-journal.js';
import { type VerifyContext, verifyOpenMonths } from './verify-open-months.js';

const SEAL_INTERVAL_MS = 60_000;

/** Seals closed months of the journal. Runs on every replica; the lock on the month decides who takes a step. */
export function createSealLoop(ctx: SealContext): Loop {
  return createLoop({
    name: 'seal-journal',
    intervalMs: SEAL_INTERVAL_MS,
    logger: ctx.logger,
    run: () => sealJournal(ctx),
  });
}

/** Verifies the ledger at an interval, first one interval after the start. Every replica reports its own result. */
export function createVerifyLoop(ctx: VerifyContext & { intervalMs: number }): Loop {
  let isDue = false;
  return createLoop({
    name: 'verify ledger',
    intervalMs: ctx.intervalMs,
    logger: ctx.logger,
    async run(signal) {
      if (isDue) await verifyOpenMonths(ctx, signal);
      isDue = true;
    },
  });
}
