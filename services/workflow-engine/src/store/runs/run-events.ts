import type { Queryable } from '@tollgate/postgres';
import type { EventDraft, StoredEvent } from '../../domain/run/run-event.js';
import { appendRunEvents } from '../gen/runs/run-events.js';

interface EventRow {
  seq: number;
  ts: Date;
  type: string;
  node_id: string | null;
  body: string;
}

/** Limits a page to the size of one message. If the first event is larger, the page contains only this event. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Reads events after a position, in order: up to `limit`, fewer when they are large. */
export async function readEvents(
  db: Queryable,
  runId: string,
  afterSeq: number,
  limit: number,
): Promise<StoredEvent[]> {
  const result = await db.query<EventRow>({
    name: 'run_events.read',
    text: `SELECT seq, ts, type, node_id, body
           FROM (SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before
                 FROM (SELECT seq, ts, type, node_id, body FROM run_events
                       WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) AS next) AS page
           WHERE bytes_before < $4 ORDER BY seq`,
    values: [runId, afterSeq, limit, PAGE_BYTES],
  });
  return result.rows.map(({ node_id, ...event }) => ({ ...event, nodeId: node_id }));
}

/** Whether more events may follow a page that was read with this limit. */
export function mayHaveMore(page: readonly StoredEvent[], limit: number): boolean {
  return page.length === limit || page.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) >= PAGE_BYTES;
}

/**
 * Appends events of a running node outside a transition. One statement locks the run's row, checks that the work is
 * still held, advances the counter and inserts. Returns the place and time of the events; undefined when the lease is
 * lost. Takes its locks in the same order as a transition. The share lock keeps a successor from starting before the
 * insert.
 */
export async function appendNodeEvents(
  db: Queryable,
  runId: string,
  fence: { workId: bigint; epoch: number },
  events: readonly EventDraft[],
): Promise<{ lastSeq: number; ts: Date } | undefined> {
  const rows = await appendRunEvents(db, {
    runId,
    ...fence,
    events: events.map(({ type, nodeId, body }, i) => ({ nth: i + 1, type, nodeId, body })),
  });
  const [first] = rows;
  return first && { lastSeq: Math.min(...rows.map(({ seq }) => seq)) - 1, ts: first.ts };
}

/** Reads the last sequence numbers of these runs and background responses. The end of a response counts as one more. */
export async function lastSeqs(db: Queryable, runIds: readonly string[]): Promise<Map<string, number>> {
  const result = await db.query<{ run_id: string; last_seq: number }>({
    name: 'runs.last_seqs',
    text: `SELECT run_id, last_seq FROM runs WHERE run_id = ANY($1::uuid[])
           UNION ALL
           SELECT id, last_event + (ended_at IS NOT NULL)::int FROM background_responses WHERE id = ANY($1::uuid[])`,
    values: [runIds],
  });
  return new Map(result.rows.map((row) => [row.run_id, row.last_seq]));
}
