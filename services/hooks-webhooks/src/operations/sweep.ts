import { purgeConsumedEvents } from '@tollgate/events';
import type { Context } from '../context.js';
import { deleteInBatches } from '../store/retention.js';

const ROWS_PER_PASS = 1_000;
const DAY_MS = 86_400_000;
/** Longer than any transport redelivers an event. */
const CONSUMED_EVENTS_DAYS = 30;

/** Deletes rows past their retention, one bounded batch per table. Returns true when more may remain. */
export async function sweep({ pool, limits }: Pick<Context, 'pool' | 'limits'>): Promise<boolean> {
  const days = { webhooks: limits.retentionDays, toolHooks: limits.hookRetentionDays };
  const hasMoreRows = await deleteInBatches(pool, days, ROWS_PER_PASS);
  const purged = await purgeConsumedEvents(pool, CONSUMED_EVENTS_DAYS * DAY_MS, ROWS_PER_PASS);
  return hasMoreRows || purged === ROWS_PER_PASS;
}
