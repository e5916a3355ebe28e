import type { Queryable } from '@tollgate/postgres';
import { type Clock, createLoop, type Logger, type Loop } from '@tollgate/runtime';
import { deleteExpiredStateHandles } from '../store/state-handles.js';

/** Rows per pass: bounds the statement however many handles expire at once. */
export const SWEEP_BATCH = 500;

/** Deletes expired state handles to free their space; the stores already hide them from the moment they expire. */
export function createStateHandleSweeper(options: {
  db: Queryable;
  clock: Clock;
  logger: Logger;
  intervalMs: number;
}): Loop {
  const { db, clock, logger, intervalMs } = options;
  return createLoop({
    name: 'state handle sweeper',
    intervalMs,
    logger,
    run: async () => (await deleteExpiredStateHandles(db, clock.now(), SWEEP_BATCH)) === SWEEP_BATCH,
  });
}
