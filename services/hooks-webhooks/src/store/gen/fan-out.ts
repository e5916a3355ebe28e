// Generated from fan-out.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, byteaArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `events`. */
export interface QueueDeliveriesEventsRow {
  id: string;
  projectId: string;
  type: string;
  payload: Uint8Array;
  occurredAt: Date;
  customerId: string | null | undefined;
  traceparent: string | null | undefined;
  place: number;
}

export interface QueueDeliveriesInput {
  events: readonly QueueDeliveriesEventsRow[];
}

export interface QueueDeliveriesRow {
  queued: number;
}

const QUEUE_DELIVERIES = `
  WITH event AS (
    SELECT * FROM (SELECT ($6::uuid[])[nth.i][1] AS id, ($6::uuid[])[nth.i][2] AS project_id, nth.type, nth.payload, nth.occurred_at, nth.customer_id, nth.traceparent, ($7::bigint[])[nth.i]::int AS place FROM unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::text[], $5::text[]) WITH ORDINALITY AS nth (type, payload, occurred_at, customer_id, traceparent, i)) AS e
  ),
  target AS MATERIALIZED (
    SELECT e.place, e.id AS event_id, w.id AS webhook_id, w.enabled, e.customer_id, gen_random_uuid() AS delivery_id
    FROM event e JOIN webhooks w ON w.project_id = e.project_id AND w.deleted_at IS NULL AND e.type = ANY (w.event_types)
  ),
  stored AS (
    INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at, traceparent)
    SELECT id, project_id, type, payload, occurred_at, traceparent FROM event
    WHERE (place IN (SELECT place FROM target)) IS TRUE ORDER BY id
    ON CONFLICT (id) DO NOTHING
  ),
  queued AS (
    INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status, error)
    SELECT delivery_id, webhook_id, event_id, coalesce(customer_id, delivery_id::text),
      CASE WHEN enabled THEN 'pending' ELSE 'failed' END, CASE WHEN NOT enabled THEN 'not sent: the webhook is disabled' END
    FROM target ORDER BY place, webhook_id
    ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING id, webhook_id, lane_key, seq, status
  ),
  queue AS (
    INSERT INTO webhook_lanes AS queue (webhook_id, lane_key, delivery_id, due_at)
    SELECT DISTINCT ON (webhook_id, lane_key) webhook_id, lane_key, id, now()
    FROM queued WHERE status = 'pending' ORDER BY webhook_id, lane_key, seq
    ON CONFLICT (webhook_id, lane_key) DO UPDATE SET due_at = queue.due_at
  )
  SELECT count(*)::int AS "queued" FROM queued WHERE status = 'pending'`;

/** Stores each event once, and one delivery per subscribed endpoint with its queue. */
export async function queueDeliveries(db: Queryable, input: QueueDeliveriesInput): Promise<QueueDeliveriesRow | undefined> {
  const { rows } = await db.query<QueueDeliveriesRow>({
    name: 'queue_deliveries',
    text: QUEUE_DELIVERIES,
    values: [
      textArray(input.events.map((r) => r.type)),
      byteaArray(input.events.map((r) => r.payload)),
      binaryArray('timestamptz', input.events.map((r) => r.occurredAt)),
      textArray(input.events.map((r) => r.customerId)),
      textArray(input.events.map((r) => r.traceparent)),
      uuidArray(input.events, [(r) => r.id, (r) => r.projectId]),
      bigintArray(input.events, [(r) => r.place]),
    ],
  });
  return rows[0];
}
