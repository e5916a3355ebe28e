// Generated from recoveries.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface RequeueFailedDeliveriesInput {
  webhookId: string;
  since: Date;
  startedAt: Date;
  cursorId: string | null;
  limit: bigint | number;
  recoveryId: string;
}

export interface RequeueFailedDeliveriesRow {
  requeued: number;
}

const REQUEUE_FAILED_DELIVERIES = `
  WITH picked AS (
    SELECT d.id, d.created_at FROM webhook_deliveries d
    WHERE d.webhook_id = $1 AND d.status = 'failed' AND d.created_at >= $2 AND d.updated_at <= $3 AND NOT d.is_test
      AND ($4::uuid IS NULL OR (d.created_at, d.id) > ($2, $4))
    ORDER BY d.created_at, d.id LIMIT $5 FOR UPDATE SKIP LOCKED
  ),
  delivery AS (
    UPDATE webhook_deliveries d
    SET status = 'pending', round = round + 1, attempt_count = 0, response_status = NULL, latency_ms = NULL, error = NULL,
      updated_at = clock_timestamp(),
      lane_key = split_part(d.lane_key, ' ', 1) || ' ' || d.id::text
    FROM picked WHERE d.id = picked.id
    RETURNING d.id, d.lane_key
  ),
  queue AS (
    INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT $1, lane_key, id, now() FROM delivery
  )
  UPDATE webhook_recoveries r
  SET requeued = requeued + (SELECT count(*) FROM delivery), advanced_at = clock_timestamp(),
    cursor_created_at = last.created_at, cursor_id = last.id
  FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT created_at, id FROM picked ORDER BY created_at DESC, id DESC LIMIT 1) last ON true
  WHERE r.id = $6
  RETURNING (SELECT count(*)::int FROM delivery) AS "requeued"`;

/** Queues the next failed deliveries of a recovery again, each in a queue of its own, and moves the cursor of the recovery. */
export async function requeueFailedDeliveries(db: Queryable, input: RequeueFailedDeliveriesInput): Promise<RequeueFailedDeliveriesRow | undefined> {
  const { rows } = await db.query<RequeueFailedDeliveriesRow>({
    name: 'requeue_failed_deliveries',
    text: REQUEUE_FAILED_DELIVERIES,
    values: [
      input.webhookId,
      input.since,
      input.startedAt,
      input.cursorId,
      input.limit,
      input.recoveryId,
    ],
  });
  return rows[0];
}
