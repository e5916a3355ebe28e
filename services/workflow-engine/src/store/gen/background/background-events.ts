// Generated from background/background-events.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface AppendEventsInput {
  last: number;
  events: string;
  id: string;
  epoch: number;
  after: number;
}

const APPEND_EVENTS = `
  WITH held AS (
    UPDATE background_responses
    SET last_event = $1, event_bytes = event_bytes + octet_length($2::text), has_events = true
    WHERE id = $3 AND lease_epoch = $4 AND lease_owner IS NOT NULL AND last_event = $5
    RETURNING id
  )
  INSERT INTO background_events (response_id, last_event, events) SELECT id, $1, $2 FROM held`;

/**
 * Appends events of a leased response, which follow its event `after`. Changes nothing when the lease was lost, or another event
 * is the last one.
 */
export async function appendEvents(db: Queryable, input: AppendEventsInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'append_events',
    text: APPEND_EVENTS,
    values: [
      input.last,
      input.events,
      input.id,
      input.epoch,
      input.after,
    ],
  });
  return rowCount ?? 0;
}

export interface InsertEventsInput {
  last: number;
  events: string;
  id: string;
}

const INSERT_EVENTS = `
  WITH changed AS (
    UPDATE background_responses
    SET last_event = $1, event_bytes = event_bytes + octet_length($2::text), has_events = true
    WHERE id = $3
    RETURNING id
  )
  INSERT INTO background_events (response_id, last_event, events) SELECT id, $1, $2 FROM changed`;

/** Inserts events of a response whose row this transaction has inserted or ended. */
export async function insertEvents(db: Queryable, input: InsertEventsInput): Promise<void> {
  await db.query({
    name: 'insert_events',
    text: INSERT_EVENTS,
    values: [
      input.last,
      input.events,
      input.id,
    ],
  });
}

export interface ReadEventPageInput {
  id: string;
  after: number;
  bytes: bigint | number;
}

export interface ReadEventPageRow {
  events: string;
}

const READ_EVENT_PAGE = `
  SELECT events AS "events"
  FROM (
    SELECT *, sum(octet_length(events)) OVER (ORDER BY last_event) - octet_length(events) AS bytes_before
    FROM (
      SELECT last_event, events
      FROM background_events
      WHERE response_id = $1 AND last_event > $2
      ORDER BY last_event
      LIMIT 100) AS next) AS page
  WHERE bytes_before < $3
  ORDER BY last_event`;

/** Returns the rows with the next events after a sequence number. A page ends with the row that fills its bytes. */
export async function readEventPage(db: Queryable, input: ReadEventPageInput): Promise<ReadEventPageRow[]> {
  const { rows } = await db.query<ReadEventPageRow>({
    name: 'read_event_page',
    text: READ_EVENT_PAGE,
    values: [
      input.id,
      input.after,
      input.bytes,
    ],
  });
  return rows;
}

export interface PruneEventsInput {
  projectId: string;
  bytesMax: bigint | number;
  limit: bigint | number;
}

const PRUNE_EVENTS = `
  WITH old AS (
    UPDATE background_responses
    SET event_bytes = 0, has_events = false
    WHERE id = ANY (ARRAY(
      SELECT id
      FROM (
        SELECT id, ended_at, sum(event_bytes) OVER (ORDER BY ended_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
        FROM background_responses
        WHERE project_id = $1 AND ended_at IS NOT NULL AND has_events) AS ended
      WHERE total > $2
      ORDER BY ended_at
      LIMIT $3))
    RETURNING id
  )
  DELETE FROM background_events WHERE response_id IN (SELECT id FROM old)`;

/** Deletes the events of the oldest ended responses of a project that exceed its bound, of up to `limit` responses. */
export async function pruneEvents(db: Queryable, input: PruneEventsInput): Promise<void> {
  await db.query({
    name: 'prune_events',
    text: PRUNE_EVENTS,
    values: [
      input.projectId,
      input.bytesMax,
      input.limit,
    ],
  });
}
