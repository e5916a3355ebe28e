import type { Queryable } from '@tollgate/postgres';
import type { OutboxEvent } from './event.js';
import { appendOutboxEvents } from './store/gen/outbox.js';

/**
 * Writes events in the transaction of the state change that they report, in one statement and in the given order. Call
 * it while the transaction holds the locks of the rows that the keys name; wake the relay after the commit.
 */
export async function appendEvents(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await appendOutboxEvents(tx, {
    events: events.map((event) => ({ ...event, requestId: event.requestId, traceparent: event.traceparent })),
  });
}

export interface OutboxBacklog {
  /** Committed events that are not published yet. */
  unpublished: number;
  /** Age of the oldest of them; 0 when there is none. */
  oldestSeconds: number;
}

/** Returns how far the relay is behind, for tests and tools that need the exact number. */
export async function outboxBacklog(db: Queryable): Promise<OutboxBacklog> {
  const { rows } = await db.query<OutboxBacklog>(`
    SELECT count(*)::int AS unpublished,
           coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0)::float AS "oldestSeconds"
    FROM outbox WHERE published_at IS NULL`);
  return rows[0]!;
}

/** Maximum number of rows counted, because an outbox grows while Kafka is unavailable. */
const HEAD_ROWS_MAX = 10_000;

/** Reads the oldest rows along the index of unpublished ones. */
export const OUTBOX_HEAD_SQL = `
  SELECT count(*)::int AS unpublished,
         coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT occurred_at FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT ${HEAD_ROWS_MAX}) AS head`;

/** As {@link outboxBacklog}, but a count above 10,000 is reported as 10,000. */
export async function outboxHead(db: Queryable): Promise<OutboxBacklog> {
  const { rows } = await db.query<OutboxBacklog>(OUTBOX_HEAD_SQL);
  return rows[0]!;
}
