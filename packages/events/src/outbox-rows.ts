import type { Queryable } from '@tollgate/postgres';
import type { EventRecord } from './event.js';
import type { RelayLease } from './relay-lease.js';
import { markOutboxPublished } from './store/gen/outbox.js';

export interface OutboxRow {
  seq: bigint;
  event: EventRecord;
}

export interface UnpublishedRows {
  rows: OutboxRow[];
  /** Oldest transaction that was running when they were read. */
  oldestRunning: bigint;
}

/** Read separately, so that a pass without rows also sees running transactions. */
interface EmptyRow {
  oldest_running: string;
  seq: null;
}

interface StoredRow {
  oldest_running: string;
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

/** Returns whether there is an unpublished row. */
export async function hasUnpublished(db: Queryable): Promise<boolean> {
  const text = 'SELECT FROM outbox WHERE published_at IS NULL LIMIT 1';
  const { rowCount } = await db.query({ name: 'outbox.has_unpublished', text });
  return rowCount === 1;
}

/** Selects by state, not by "greater than the last seen": transactions do not commit in the order of their `seq`. */
export async function readUnpublished(
  db: Queryable,
  source: string,
  above: bigint,
  limit: number,
): Promise<UnpublishedRows> {
  const { rows } = await db.query<StoredRow | EmptyRow>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_running, head.*
     FROM (VALUES (1)) AS always LEFT JOIN (
       SELECT seq, id, topic, key, type, payload, occurred_at, request_id, traceparent
       FROM outbox WHERE published_at IS NULL AND seq > $1 ORDER BY seq LIMIT $2) AS head ON true
     ORDER BY head.seq`,
    [above, limit],
  );
  const stored = rows.filter((row): row is StoredRow => row.seq !== null);
  return { rows: toRows(stored, source), oldestRunning: BigInt(rows[0]!.oldest_running) };
}

function toRows(stored: readonly StoredRow[], source: string): OutboxRow[] {
  return stored.map((row) => ({
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

/**
 * Marks rows and returns the id of the transaction that did. Undefined when another process took the lease: nothing is
 * marked, the new holder publishes the rows again.
 */
export async function markPublished(
  db: Queryable,
  rows: readonly OutboxRow[],
  lease: RelayLease,
): Promise<bigint | undefined> {
  const seqs = rows.map((row) => row.seq);
  const marked = await markOutboxPublished(db, { seqs, holder: lease.holder, epoch: lease.epoch() });
  return marked?.own_id ? BigInt(marked.own_id) : undefined;
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
