import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { type DiscardParts, discardAttempts } from '../operations/background/discard-attempts.js';
import { type DueDiscard, takeDiscards } from '../store/background/background-discards.js';

const INTERVAL_MS = 1_000;
const PER_PASS = 50;
/** With the growing delays this is about an hour. */
const TRIES_BEFORE_ERROR = 12;

/** Repeats discards that have failed, or whose process was lost. */
export function createDiscardRepeater(ctx: DiscardParts & { logger: Logger }): Loop {
  return createLoop({
    name: 'background.discards',
    intervalMs: INTERVAL_MS,
    logger: ctx.logger,
    run: async () => {
      const due = await takeDiscards(ctx.pool, PER_PASS);
      for (const discard of due) await repeat(ctx, discard);
      return due.length === PER_PASS;
    },
  });
}

async function repeat(ctx: DiscardParts & { logger: Logger }, discard: DueDiscard): Promise<void> {
  const { id, tries } = discard;
  try {
    await discardAttempts(ctx, discard);
  } catch (err) {
    const level = tries >= TRIES_BEFORE_ERROR ? 'error' : 'warn';
    ctx.logger[level]({ err, response: id, tries }, 'background response not discarded; trying again');
  }
}
