import type { OutboxEvent } from '@tollgate/events';
import type { Prisma, PrismaClient } from './generated/client.js';

/** An open interactive transaction. */
export type Tx = Prisma.TransactionClient;

/** The client or an open transaction. */
export type Db = PrismaClient | Tx;

/** Appends an event in the transaction of its change; the caller has locked the row that the key names. */
export async function appendEvent(tx: Tx, event: OutboxEvent): Promise<void> {
  const payload = Buffer.from(event.payload);
  await tx.$executeRaw`
    INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
    VALUES (${event.id}::uuid, ${event.topic}, ${event.key}, ${event.type}, ${payload}, ${event.occurredAt},
            ${event.requestId ?? null}, ${event.traceparent ?? null})`;
}
