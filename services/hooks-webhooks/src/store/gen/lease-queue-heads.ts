// Generated from lease-queue-heads.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `quotas`. */
export interface LeaseQueueHeadsQuotasRow {
  webhookId: string;
  quota: number;
}

export interface LeaseQueueHeadsInput {
  quotas: readonly LeaseQueueHeadsQuotasRow[];
  fastLeaseMs: number;
  standardLeaseMs: number;
}

export interface LeaseQueueHeadsRow {
  delivery_id: string;
  lane_key: string;
  epoch: number;
  round: number;
  attempt_count: number;
  created_at: Date;
  event_id: string;
  event_type: string;
  payload: Buffer;
  traceparent: string | null;
  webhook_id: string;
  project_id: string;
  endpoint_url: string;
  signature_form: string;
  retry_schedule: string;
  secret_key_id: string;
  secret_sealed: Buffer;
  previous_secret_key_id: string | null;
  previous_secret_sealed: Buffer | null;
  previous_secret_until: Date | null;
  failed_attempts: number;
}

const LEASE_QUEUE_HEADS = `
  WITH picked AS (
    SELECT l.webhook_id, l.lane_key
    FROM (SELECT ($1::uuid[])[nth.i] AS webhook_id, ($2::bigint[])[nth.i]::int AS quota FROM generate_subscripts($1::uuid[], 1) AS nth (i)) AS q
    CROSS JOIN LATERAL (
      SELECT webhook_id, lane_key FROM webhook_lanes
      WHERE webhook_id = q.webhook_id AND leased_until IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT q.quota FOR UPDATE SKIP LOCKED
    ) l
  ),
  leased AS (
    UPDATE webhook_lanes l
    SET epoch = l.epoch + 1,
        leased_until = clock_timestamp()
          + CASE w.retry_schedule WHEN 'fast' THEN $3::int ELSE $4::int END * interval '1 ms'
    FROM picked p JOIN webhooks w ON w.id = p.webhook_id
    WHERE l.webhook_id = p.webhook_id AND l.lane_key = p.lane_key
    RETURNING l.webhook_id, l.lane_key, l.delivery_id, l.epoch
  ),
  started AS (
    UPDATE webhook_deliveries d
    SET status = 'processing', attempt_count = d.attempt_count + 1, updated_at = clock_timestamp()
    FROM leased l
    WHERE d.id = l.delivery_id
    RETURNING d.id, d.webhook_id, d.event_id, d.round, d.attempt_count, d.created_at, l.lane_key, l.epoch
  )
  SELECT s.id AS "delivery_id", s.lane_key AS "lane_key", s.epoch AS "epoch", s.round AS "round",
    s.attempt_count AS "attempt_count", s.created_at AS "created_at", s.event_id AS "event_id", e.event_type, e.payload,
    e.traceparent, w.id AS webhook_id, w.project_id, w.endpoint_url, w.signature_form, w.retry_schedule, w.secret_key_id,
    w.secret_sealed, w.previous_secret_key_id, w.previous_secret_sealed, w.previous_secret_until, w.failed_attempts
  FROM started s
  JOIN webhook_events e ON e.id = s.event_id
  JOIN webhooks w ON w.id = s.webhook_id`;

/** Leases up to `quota` due queues of each endpoint and counts an attempt for their heads. */
export async function leaseQueueHeads(db: Queryable, input: LeaseQueueHeadsInput): Promise<LeaseQueueHeadsRow[]> {
  const { rows } = await db.query<LeaseQueueHeadsRow>({
    name: 'lease_queue_heads',
    text: LEASE_QUEUE_HEADS,
    values: [
      uuidArray(input.quotas, [(r) => r.webhookId]),
      bigintArray(input.quotas, [(r) => r.quota]),
      input.fastLeaseMs,
      input.standardLeaseMs,
    ],
  });
  return rows;
}
