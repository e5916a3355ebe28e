// Generated from runs/run-events.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, textArray } from '@tollgate/postgres/columns';

/** A row of `events`. */
export interface AppendRunEventsEventsRow {
  nth: number;
  type: string;
  nodeId: string | null | undefined;
  body: string;
}

export interface AppendRunEventsInput {
  runId: string;
  workId: bigint | number;
  epoch: number;
  events: readonly AppendRunEventsEventsRow[];
}

export interface AppendRunEventsRow {
  seq: number;
  ts: Date;
}

const APPEND_RUN_EVENTS = `
  WITH run AS (
    SELECT run_id FROM runs WHERE run_id = $1 AND status IN ('running', 'waiting') FOR UPDATE
  ),
  held AS (
    SELECT w.run_id
    FROM run JOIN run_work w ON w.run_id = run.run_id
    WHERE w.work_id = $2 AND w.lease_epoch = $3
    FOR SHARE OF w
  ),
  counted AS (
    UPDATE runs SET last_seq = last_seq + coalesce(array_length($4::text[], 1), 0)
    FROM held
    WHERE runs.run_id = held.run_id
    RETURNING last_seq - coalesce(array_length($4::text[], 1), 0) AS base, clock_timestamp() AS now
  )
  INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
  SELECT $1, counted.base + e.nth, counted.now, e.type, e.node_id, e.body FROM counted, (SELECT ($7::bigint[])[nth.i]::int AS nth, nth.type, nth.node_id, nth.body FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS nth (type, node_id, body, i)) AS e
  RETURNING seq, ts`;

/**
 * Appends events of a running node outside a transition: locks the run's row, checks that the work is still held, advances the
 * counter and inserts. Takes its locks in the same order as a transition.
 */
export async function appendRunEvents(db: Queryable, input: AppendRunEventsInput): Promise<AppendRunEventsRow[]> {
  const { rows } = await db.query<AppendRunEventsRow>({
    name: 'append_run_events',
    text: APPEND_RUN_EVENTS,
    values: [
      input.runId,
      input.workId,
      input.epoch,
      textArray(input.events.map((r) => r.type)),
      textArray(input.events.map((r) => r.nodeId)),
      textArray(input.events.map((r) => r.body)),
      bigintArray(input.events, [(r) => r.nth]),
    ],
  });
  return rows;
}
