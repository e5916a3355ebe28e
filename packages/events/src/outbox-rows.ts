import type { Queryable } from '@tollgate/postgres';
import type { EventRecord } from './event.js';
import type { RelayLease } from './relay-lease.js';

export interface OutboxRow {
  seq: bigint;
  event: EventRecord;
}

interface StoredRow {
  seq: bigint;
  id: string;
  topic: string;
  key: string;
  type: string;
  payload: Buffer;
  occurred_at: Date;
  request_id: string | null;
  traceparent: string | null;
}

/** Chosen by state, not by "greater than the last seen": transactions commit in another order than they take `seq`. */
export async function readUnpublished(db: Queryable, source: string, limit: number): Promise<OutboxRow[]> {
  const { rows } = await db.query<StoredRow>(
    `SELECT seq, id, topic, key, type, payload, occurred_at, request_id, traceparent
     FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({
    seq: row.seq,
    event: {
      id: row.id,
      source,
      topic: row.topic,
      key: row.key,
      type: row.type,
      payload: row.payload,
      occurredAt: row.occurred_at,
      requestId: row.request_id ?? undefined,
      traceparent: row.traceparent ?? undefined,
    },
  }));
}

/** False when the lease changed hands meanwhile: nothing is marked, the new holder publishes the rows again. */
export async function markPublished(db: Queryable, rows: readonly OutboxRow[], lease: RelayLease): Promise<boolean> {
  const result = await db.query(
    `UPDATE outbox SET published_at = clock_timestamp()
     WHERE published_at IS NULL AND seq = ANY($1::bigint[])
       AND EXISTS (SELECT 1 FROM outbox_lease WHERE holder = $2 AND epoch = $3)`,
    [rows.map((row) => row.seq), lease.holder, lease.epoch()],
  );
  return result.rowCount !== 0;
}

/** Removes a bounded number of rows published more than `retentionMs` ago; returns how many. */
export async function removePublished(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM outbox WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM outbox WHERE published_at < now() - $1 * interval '1 ms'
       ORDER BY published_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [retentionMs, limit],
  );
  return result.rowCount ?? 0;
}
