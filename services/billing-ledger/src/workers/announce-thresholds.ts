import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { appendEvents, eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import type { Pool } from '../store/database.js';
import { lockUnannounced, type ReachedThreshold, setAnnounced } from '../store/reports/usage-thresholds.js';

const BATCH_MAX = 200;
/** Settlements wake the loop. The interval finds thresholds left by a process that died. */
const INTERVAL_MS = 2_000;

/**
 * Emits events for reached usage thresholds. The settling statement knows an account's sums only while it runs, so it
 * writes a row per reached threshold in its own commit; each row becomes one event.
 */
export function createThresholdWorker(deps: { pool: Pool; logger: Logger; onEvents: () => void }): Loop {
  return createLoop({
    name: 'announce-thresholds',
    intervalMs: INTERVAL_MS,
    logger: deps.logger,
    run: async () => {
      const count = await withTransaction(deps.pool, async (tx) => {
        const rows = await lockUnannounced(tx, BATCH_MAX);
        if (rows.length === 0) return 0;
        await appendEvents(tx, rows.flatMap(toEvents));
        await setAnnounced(tx, rows);
        return rows.length;
      });
      if (count > 0) deps.onEvents();
      return count === BATCH_MAX;
    },
  });
}

function toEvents(row: ReachedThreshold): OutboxEvent[] {
  if (row.project_id === null) return [];
  const event = newEvent(eventTypes.thresholdExceeded, {
    key: row.customer_id,
    occurredAt: row.reached_at,
    message: {
      projectId: row.project_id,
      customerId: row.customer_id,
      tierId: row.tier_id ?? '',
      tierCode: row.tier_code ?? '',
      thresholdPercent: row.threshold_percent,
      usedMicrocents: row.used_microcents,
      limitMicrocents: row.limit_microcents,
      windowStart: timestampFromDate(row.window_start),
      ...(row.window_end && { windowEnd: timestampFromDate(row.window_end) }),
    },
  });
  return [event];
}
