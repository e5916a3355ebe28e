import { withTransaction } from '@tollgate/postgres';
import { byteaArray } from '@tollgate/postgres/columns';
import pg from 'pg';
import type { EventRecord } from '../event.js';
import type { OutboxLocation, OutboxMover } from '../transport.js';
import type { LogNames } from './log-tables.js';

/** Appends events from other sources: dead letters, and outboxes in other databases. */
export async function appendToLog(pool: pg.Pool, names: LogNames, events: readonly EventRecord[]): Promise<void> {
  await withTransaction(pool, async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(${names.writerLock})`);
    await tx.query(
      `INSERT INTO ${names.log} (id, topic, key, type, payload, occurred_at, request_id, traceparent, source, headers)
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[], $7::text[],
                            $8::text[], $9::text[], $10::jsonb[])`,
      [
        events.map((event) => event.id),
        events.map((event) => event.topic),
        events.map((event) => event.key),
        events.map((event) => event.type),
        byteaArray(events.map((event) => event.payload)),
        events.map((event) => event.occurredAt),
        events.map((event) => event.requestId ?? null),
        events.map((event) => event.traceparent ?? null),
        events.map((event) => event.source),
        events.map((event) => (event.headers ? JSON.stringify(event.headers) : null)),
      ],
    );
  });
  await notify(
    pool,
    names,
    events.map((event) => event.topic),
  );
}

/**
 * Moves rows from an outbox in the same database into the log: one round trip, one transaction, and no rows pass through
 * this process. Delete and insert commit together, so an event is neither lost nor duplicated here. The commit need not wait
 * for the disk: a crash undoes both halves, and what a consumer committed afterwards lies later in the same WAL.
 */
export async function openMover(outbox: OutboxLocation, names: LogNames): Promise<OutboxMover> {
  const source = pg.escapeLiteral(outbox.source);
  const table = `${pg.escapeIdentifier(outbox.schema)}.outbox`;
  const columns = 'id, topic, key, type, payload, occurred_at, request_id, traceparent';
  return async (limit) => {
    const above = `published_at IS NULL AND seq > ${outbox.floor.start()}`;
    const results = await outbox.pool.query<MoveResult>(`
      SET LOCAL synchronous_commit = off;
      SELECT pg_advisory_xact_lock(${names.writerLock});
      WITH edge AS (
        SELECT max(seq) AS seq
        FROM (SELECT seq FROM ${table} WHERE ${above} ORDER BY seq LIMIT ${Math.trunc(limit)}) AS head
      ), moved AS (
        DELETE FROM ${table} WHERE ${above} AND seq <= (SELECT seq FROM edge) RETURNING seq, ${columns}
      ), logged AS (
        INSERT INTO ${names.log} (${columns}, source)
        SELECT ${columns}, ${source} FROM (SELECT * FROM moved ORDER BY seq) AS ordered
        RETURNING topic
      )
      SELECT count(*)::int AS events, array_agg(DISTINCT topic) AS topics, (SELECT seq FROM edge) AS last_seq,
             pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_running,
             CASE WHEN count(*) > 0 THEN pg_current_xact_id()::text END AS own_id
      FROM logged`);
    const move = lastResult(results).rows[0]!;
    outbox.floor.passed({
      lastSeq: move.last_seq ?? undefined,
      isComplete: move.events < limit,
      oldestRunning: BigInt(move.oldest_running),
      laterTransaction: move.own_id === null ? undefined : BigInt(move.own_id),
    });
    if (move.topics) await notify(outbox.pool, names, move.topics);
    return move.events;
  };
}

/** The driver returns a list for a text of several statements, but its types know only the result of one. */
function lastResult<Row extends pg.QueryResultRow>(results: pg.QueryResult<Row> | pg.QueryResult<Row>[]) {
  return Array.isArray(results) ? results.at(-1)! : results;
}

interface MoveResult {
  events: number;
  topics: string[] | null;
  last_seq: bigint | null;
  oldest_running: string;
  own_id: string | null;
}

/** Notifies after the commit, separately: NOTIFY in a transaction serializes all notifying commits of the server. */
async function notify(pool: pg.Pool, names: LogNames, topics: readonly string[]): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [names.schema, [...new Set(topics)].join(',').slice(0, 7000)]);
}
