import { purgeConsumedEvents } from '@tollgate/events';
import type { Context } from '../context.js';
import {
  deleteGoneWebhooks,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOrphanedDeliveries,
} from '../store/retention.js';
import {
  deleteGoneToolHooks,
  deleteOldHookAnswers,
  deleteOldHookEvents,
  deleteOrphanedHookEvents,
} from '../store/tool-hook-retention.js';

const ROWS_PER_PASS = 1_000;
const DAY_MS = 86_400_000;
/** Longer than any transport delivers an event again. */
const CONSUMED_EVENTS_DAYS = 30;

/** Removes what is older than the logs' retention, a bounded piece at a time; true when there may be more. */
export async function sweep(ctx: Pick<Context, 'pool' | 'limits'>): Promise<boolean> {
  const { pool, limits } = ctx;
  const removed = [
    await deleteOldDeliveries(pool, limits.retentionDays, ROWS_PER_PASS),
    await deleteOrphanedDeliveries(pool, ROWS_PER_PASS),
    await deleteOldEvents(pool, limits.retentionDays, ROWS_PER_PASS),
    await deleteGoneWebhooks(pool, ROWS_PER_PASS),
    await deleteOldHookEvents(pool, limits.hookRetentionDays, ROWS_PER_PASS),
    await deleteOrphanedHookEvents(pool, ROWS_PER_PASS),
    await deleteOldHookAnswers(pool, limits.hookRetentionDays, ROWS_PER_PASS),
    await deleteGoneToolHooks(pool, ROWS_PER_PASS),
    await purgeConsumedEvents(pool, CONSUMED_EVENTS_DAYS * DAY_MS, ROWS_PER_PASS),
  ];
  return removed.some((count) => count === ROWS_PER_PASS);
}
