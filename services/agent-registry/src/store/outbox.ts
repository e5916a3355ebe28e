import type { OutboxEvent } from '@tollgate/events';
import type { Tx } from './db.js';

/** Writes an event in the transaction of the change it tells about; the row the key names is locked by then. */
export async function appendEvent(tx: Tx, event: OutboxEvent): Promise<void> {
  const payload = Buffer.from(event.payload);
  await tx.$executeRaw`
    INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
    VALUES (${event.id}::uuid, ${event.topic}, ${event.key}, ${event.type}, ${payload}, ${event.occurredAt},
            ${event.requestId ?? null}, ${event.traceparent ?? null})`;
}
