import type { Queryable, Tx } from '@tollgate/postgres';
import { buildPayload, type EventHead, type WebhookEvent } from '../domain/webhooks/webhook-event.js';
import * as sql from './gen/fan-out.js';

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
 */
export async function queueDeliveries(tx: Tx, events: readonly WebhookEvent[]): Promise<number> {
  const rows = events.map((event, place) => ({
    ...event,
    payload: buildPayload(event),
    customerId: event.customerId,
    traceparent: event.traceparent,
    place,
  }));
  return (await sql.queueDeliveries(tx, { events: rows }))!.queued;
}
