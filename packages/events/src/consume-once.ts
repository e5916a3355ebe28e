import { type Queryable, type Tx, withTransaction } from '@tollgate/postgres';
import pg from 'pg';

export type ConsumeOutcome<T> = { consumed: true; value: T } | { consumed: false };

/**
 * Runs the effect of an event at most once per consumer: the mark commits in the effect's own transaction. Transports
 * deliver at least once; this makes it exactly once in effect.
 *
 * @param db a pool (a transaction is opened around both) or the transaction that the effect belongs to
 * @param consumer name of the effect, unique in the service; not the consumer group
 */
export async function consumeOnce<T>(
  db: pg.Pool | Tx,
  consumer: string,
  eventId: string,
  fn: (tx: Tx) => Promise<T>,
): Promise<ConsumeOutcome<T>> {
  if (db instanceof pg.Pool) return await withTransaction(db, (tx) => consumeOnce(tx, consumer, eventId, fn));
  const fresh = await consumeFresh(db, consumer, [eventId]);
  if (!fresh.has(eventId)) return { consumed: false };
  return { consumed: true, value: await fn(db) };
}

/**
 * The set-based form for batch handlers: marks all ids and returns those that this consumer had not seen. Apply the
 * effects of exactly these events in the same transaction.
 */
export async function consumeFresh(tx: Tx, consumer: string, eventIds: readonly string[]): Promise<Set<string>> {
  // In id order, so that two deliveries of overlapping batches wait for each other instead of deadlocking.
  const result = await tx.query<{ event_id: string }>({
    name: 'events.consume',
    text: `INSERT INTO consumed_events (consumer, event_id)
           SELECT $1, id FROM unnest($2::uuid[]) AS id ORDER BY id
           ON CONFLICT DO NOTHING RETURNING event_id`,
    values: [consumer, [...new Set(eventIds)]],
  });
  return new Set(result.rows.map((row) => row.event_id));
}

/**
 * Removes marks older than `olderThanMs`, at most `limit` of them; returns how many. Keep them longer than the
 * transport can redeliver (its retention).
 */
export async function purgeConsumedEvents(db: Queryable, olderThanMs: number, limit = 5000): Promise<number> {
  const result = await db.query(
    `DELETE FROM consumed_events WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM consumed_events WHERE consumed_at < now() - $1 * interval '1 ms' LIMIT $2))`,
    [olderThanMs, limit],
  );
  return result.rowCount ?? 0;
}
