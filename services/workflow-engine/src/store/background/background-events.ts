import type { Queryable } from '@tollgate/postgres';
import type { ReaderEvent } from '../../domain/run/run-event.js';
import type { LeasedBackground } from './background-queue.js';

/** Limits a page. Its first row is always part of it. */
const PAGE_ROWS = 100;
const PAGE_BYTES = 1024 * 1024;

/**
 * Appends events of a leased response, which follow its event `after`. Returns false when the lease was lost, or another event is the last
 * one: then nothing has changed.
 */
export async function appendBackgroundEvents(
  db: Queryable,
  { id, epoch }: LeasedBackground,
  after: number,
  events: readonly ReaderEvent[],
): Promise<boolean> {
  const result = await db.query({
    name: 'background_events.append',
    text: `
      WITH held AS (
        UPDATE background_responses
        SET last_event = $4, event_bytes = event_bytes + octet_length($5::text), has_events = true
        WHERE id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL AND last_event = $3 RETURNING id)
      INSERT INTO background_events (response_id, last_event, events) SELECT id, $4, $5 FROM held`,
    values: [id, epoch, after, events.at(-1)!.seq, toLines(events)],
  });
  return result.rowCount === 1;
}

/** Inserts events of a response whose row this transaction has inserted or ended. */
export async function insertBackgroundEvents(tx: Queryable, id: string, events: readonly ReaderEvent[]): Promise<void> {
  await tx.query({
    name: 'background_events.insert',
    text: `
      WITH changed AS (
        UPDATE background_responses
        SET last_event = $2, event_bytes = event_bytes + octet_length($3::text), has_events = true WHERE id = $1 RETURNING id)
      INSERT INTO background_events (response_id, last_event, events) SELECT id, $2, $3 FROM changed`,
    values: [id, events.at(-1)!.seq, toLines(events)],
  });
}

/** Returns the next events after a sequence number, and whether more may follow now. */
export async function readBackgroundEvents(
  db: Queryable,
  id: string,
  after: number,
): Promise<{ events: ReaderEvent[]; mayHaveMore: boolean }> {
  const result = await db.query<{ events: string }>({
    name: 'background_events.read',
    text: `SELECT events
           FROM (SELECT *, sum(octet_length(events)) OVER (ORDER BY last_event) - octet_length(events) AS bytes_before
                 FROM (SELECT last_event, events FROM background_events
                       WHERE response_id = $1 AND last_event > $2 ORDER BY last_event LIMIT $3) AS next) AS page
           WHERE bytes_before < $4 ORDER BY last_event`,
    values: [id, after, PAGE_ROWS, PAGE_BYTES],
  });
  const { rows } = result;
  const bytes = rows.reduce((sum, { events }) => sum + Buffer.byteLength(events), 0);
  const events = rows.flatMap((row) => row.events.split('\n').map(parseEvent)).filter(({ seq }) => seq > after);
  return { events, mayHaveMore: rows.length === PAGE_ROWS || bytes >= PAGE_BYTES };
}

/** Deletes the events of the oldest ended responses of a project that exceed its bound, of up to `limit` responses. */
export async function pruneBackgroundEvents(
  db: Queryable,
  projectId: string,
  bytesMax: number,
  limit: number,
): Promise<void> {
  await db.query({
    name: 'background_events.prune',
    text: `
      WITH old AS (
        UPDATE background_responses SET event_bytes = 0, has_events = false WHERE id = ANY (ARRAY(
          SELECT id FROM (
            SELECT id, ended_at, sum(event_bytes) OVER (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
            FROM background_responses WHERE project_id = $1 AND ended_at IS NOT NULL AND has_events) AS ended
          WHERE total > $2 ORDER BY ended_at LIMIT $3)) RETURNING id)
      DELETE FROM background_events WHERE response_id IN (SELECT id FROM old)`,
    values: [projectId, bytesMax, limit],
  });
}

const toLines = (events: readonly ReaderEvent[]) => events.map(({ json }) => json).join('\n');

function parseEvent(json: string): ReaderEvent {
  const { type, sequence_number: seq } = JSON.parse(json) as { type: string; sequence_number: number };
  return { seq, type, json };
}
