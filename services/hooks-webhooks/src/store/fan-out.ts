import type { Queryable, Tx } from '@tollgate/postgres';
import { buildPayload, type EventHead, type WebhookEvent } from '../domain/webhooks/webhook-event.js';

/** Returns the events that an endpoint subscribes to, enabled or not. Keeps the others off the write path. */
export async function selectWanted(db: Queryable, events: readonly EventHead[]): Promise<EventHead[]> {
  const { rows } = await db.query<{ project_id: string; event_type: string }>({
    name: 'fan_out.wanted',
    text: `SELECT DISTINCT w.project_id, type AS event_type
           FROM webhooks w CROSS JOIN LATERAL unnest(w.event_types) AS type
           WHERE w.project_id = ANY ($1::uuid[]) AND w.deleted_at IS NULL`,
    values: [[...new Set(events.map((event) => event.projectId))]],
  });
  const wanted = new Set(rows.map((row) => `${row.project_id} ${row.event_type}`));
  return events.filter((event) => wanted.has(`${event.projectId} ${event.type}`));
}

/**
 * Stores each event once and queues one delivery per subscribed endpoint; ignores an (endpoint, event) pair that
 * exists. Returns how many deliveries were queued. A delivery to a disabled endpoint is stored as failed: it can be recovered.
 *
 * An existing queue keeps its head. The no-op update locks its row until the commit, so that a worker that finishes the
 * head concurrently waits, and then finds the new delivery instead of deleting the queue.
 */
export async function queueDeliveries(tx: Tx, events: readonly WebhookEvent[]): Promise<number> {
  const { rows } = await tx.query<{ queued: number }>({
    name: 'fan_out.queue',
    text: queueSql,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.projectId),
      events.map((event) => event.type),
      events.map((event) => buildPayload(event)),
      events.map((event) => event.occurredAt),
      events.map((event) => event.customerId ?? null),
      events.map((event) => event.traceparent ?? null),
    ],
  });
  return rows[0]!.queued;
}

/**
 * Sessions of queues join by nested loops only. `IS TRUE` keeps the planner from turning the hashed subplan into a join that
 * would compare each event with each target. Each event looks the webhooks of its project up by an index.
 */
const queueSql = `
  WITH event AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::timestamptz[], $6::text[], $7::text[])
      WITH ORDINALITY AS e (id, project_id, event_type, payload, occurred_at, customer_id, traceparent, place)
  ), target AS MATERIALIZED (
    SELECT e.place, e.id AS event_id, w.id AS webhook_id, w.enabled, e.customer_id,
           gen_random_uuid() AS delivery_id
    FROM event e
    JOIN webhooks w ON w.project_id = e.project_id AND w.deleted_at IS NULL
                   AND e.event_type = ANY (w.event_types)
  ), stored AS (
    INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at, traceparent)
    SELECT id, project_id, event_type, payload, occurred_at, traceparent FROM event
    WHERE (place IN (SELECT place FROM target)) IS TRUE ORDER BY id
    ON CONFLICT (id) DO NOTHING
  ), queued AS (
    INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status, error)
    SELECT delivery_id, webhook_id, event_id, coalesce(customer_id, delivery_id::text),
           CASE WHEN enabled THEN 'pending' ELSE 'failed' END,
           CASE WHEN NOT enabled THEN 'not sent: the webhook is disabled' END
    FROM target ORDER BY place, webhook_id
    ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING id, webhook_id, lane_key, seq, status
  ), queue AS (
    INSERT INTO webhook_lanes AS queue (webhook_id, lane_key, delivery_id, due_at)
    SELECT DISTINCT ON (webhook_id, lane_key) webhook_id, lane_key, id, now()
    FROM queued WHERE status = 'pending' ORDER BY webhook_id, lane_key, seq
    ON CONFLICT (webhook_id, lane_key) DO UPDATE SET due_at = queue.due_at
  )
  SELECT count(*)::int AS queued FROM queued WHERE status = 'pending'`;
