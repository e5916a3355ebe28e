import { purgeConsumedEvents } from '@tollgate/events';
import type { Context } from '../context.js';
import { deleteInBatches } from '../store/retention.js';

const ROWS_PER_PASS = 1_000;
const DAY_MS = 86_400_000;
/** Longer than any transport redelivers an event. */
const CONSUMED_EVENTS_DAYS = 30;
/** Longer than any run that could repeat a tool call: without its record, the call would be made again. */
const TOOL_CALL_DAYS_MIN = 8;

/** Deletes rows past their retention, one bounded batch per table. */
export async function sweep(
  { pool, limits }: Pick<Context, 'pool' | 'limits'>,
  rowsMax = ROWS_PER_PASS,
): Promise<{ deleted: number; hasMore: boolean }> {
  const days = {
    webhooks: limits.retentionDays,
    toolHooks: limits.hookRetentionDays,
    toolCalls: Math.max(TOOL_CALL_DAYS_MIN, limits.hookRetentionDays),
  };
  const { deleted, hasMore } = await deleteInBatches(pool, days, rowsMax);
  const purged = await purgeConsumedEvents(pool, CONSUMED_EVENTS_DAYS * DAY_MS, rowsMax);
  return { deleted: deleted + purged, hasMore: hasMore || purged === rowsMax };
}
