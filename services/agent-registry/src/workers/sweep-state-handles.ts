import { type Clock, createLoop, type Logger, type Loop } from '@tollgate/runtime';
import type { Db } from '../store/db.js';
import { deleteExpiredStateHandles } from '../store/state-handles.js';

/** Rows of one pass: a statement stays short however many handles expire at once. */
export const SWEEP_BATCH = 500;

/** Removes expired state handles. They are out of reach from the moment they expire; this frees their space. */
export function createStateHandleSweeper(options: { db: Db; clock: Clock; logger: Logger; intervalMs: number }): Loop {
  const { db, clock, logger, intervalMs } = options;
  return createLoop({
    name: 'state handle sweeper',
    intervalMs,
    logger,
    run: async () => (await deleteExpiredStateHandles(db, clock.now(), SWEEP_BATCH)) === SWEEP_BATCH,
  });
}
