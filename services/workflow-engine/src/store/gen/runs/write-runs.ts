// Generated from runs/write-runs.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, byteaArray, textArray, uuidArray } from '@tollgate/postgres/columns';
import type { WorkKind } from '../../../domain/run/work-item.js';

/** A row of `runs`. */
export interface WriteRunsRunsRow {
  item: number;
  runId: string;
  projectId: string;
  at: Date;
  lastSeq: number;
  eventCount: number;
  revision: string | null | undefined;
  workId: bigint | number | null | undefined;
  leaseEpoch: number | null | undefined;
  endsWork: boolean;
  status: string;
  outputs: string | null | undefined;
  errorCode: string | null | undefined;
  errorMessage: string | null | undefined;
  endedAt: Date | null | undefined;
}

/** A row of `nodes`. */
export interface WriteRunsNodesRow {
  item: number;
  nodeId: string;
  status: string;
  isQueued: boolean;
  attempt: number;
  startedAt: Date | null | undefined;
  endedAt: Date | null | undefined;
  deadlineAt: Date | null | undefined;
  errorCode: string | null | undefined;
  errorMessage: string | null | undefined;
  closedTo: string;
}

/** A row of `events`. */
export interface WriteRunsEventsRow {
  item: number;
  nth: number;
  type: string;
  nodeId: string | null | undefined;
  body: string;
}

/** A row of `artifacts`. */
export interface WriteRunsArtifactsRow {
  item: number;
  nodeId: string;
  key: string;
  bytes: number;
  sha256: string;
  body: string;
}

/** A row of `dispatched`. */
export interface WriteRunsDispatchedRow {
  item: number;
  nodeId: string;
  step: number;
  attempt: number;
  requestId: string;
  modelId: string;
  inputPrice: bigint | number;
  outputPrice: bigint | number;
  imagePrice: bigint | number;
  heldMicrocents: bigint | number;
  llmRequest: string;
}

/** A row of `ended`. */
export interface WriteRunsEndedRow {
  item: number;
  nodeId: string;
  step: number;
  attempt: number;
  status: string;
  provider: string | null | undefined;
  costMicrocents: bigint | number | null | undefined;
  inputTokens: bigint | number | null | undefined;
  outputTokens: bigint | number | null | undefined;
  llmResponse: string | null | undefined;
  errorCode: string | null | undefined;
}

/** A row of `outbox`. */
export interface WriteRunsOutboxRow {
  item: number;
  id: string;
  topic: string;
  key: string;
  type: string;
  payload: Uint8Array;
  occurredAt: Date;
  requestId: string | null | undefined;
  traceparent: string | null | undefined;
}

/** A row of `work`. */
export interface WriteRunsWorkRow {
  item: number;
  nodeId: string;
  delayMs: number;
  owner: string | null | undefined;
  leaseMs: number | null | undefined;
}

export interface WriteRunsInput {
  runs: readonly WriteRunsRunsRow[];
  nodes: readonly WriteRunsNodesRow[];
  events: readonly WriteRunsEventsRow[];
  artifacts: readonly WriteRunsArtifactsRow[];
  dispatched: readonly WriteRunsDispatchedRow[];
  ended: readonly WriteRunsEndedRow[];
  outbox: readonly WriteRunsOutboxRow[];
  work: readonly WriteRunsWorkRow[];
}

export interface WriteRunsRow {
  run_id: string;
  revision: string | null;
  now: Date | null;
  work_id: bigint | null;
  lease_epoch: number | null;
  kind: WorkKind | null;
  project_id: string | null;
  node_id: string | null;
  retries: number | null;
  waits: number | null;
}

const WRITE_RUNS = `
  WITH open AS (
    SELECT i.* FROM (SELECT ($12::bigint[])[nth.i][1]::int AS item, ($11::uuid[])[nth.i][1] AS run_id, ($11::uuid[])[nth.i][2] AS project_id, nth.at, ($12::bigint[])[nth.i][2]::int AS last_seq, ($12::bigint[])[nth.i][3]::int AS event_count, nth.revision, nth.work_id, nth.lease_epoch::int AS lease_epoch, nth.ends_work, nth.status, nth.outputs, nth.error_code, nth.error_message, nth.ended_at FROM unnest($1::timestamptz[], $2::text[], $3::bigint[], $4::bigint[], $5::bool[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[]) WITH ORDINALITY AS nth (at, revision, work_id, lease_epoch, ends_work, status, outputs, error_code, error_message, ended_at, i)) AS i JOIN runs r ON r.run_id = i.run_id
    WHERE i.revision IS NULL OR r.xmin = i.revision::xid
    FOR UPDATE OF r SKIP LOCKED
  ), held AS (
    SELECT open.item FROM open
    JOIN run_work w ON w.work_id = open.work_id AND w.run_id = open.run_id AND w.lease_epoch = open.lease_epoch
    FOR UPDATE OF w SKIP LOCKED
  ), run AS (
    UPDATE runs r
    SET last_seq = r.last_seq + open.event_count, status = open.status, outputs = open.outputs,
      error_code = open.error_code, error_message = open.error_message, ended_at = open.ended_at
    FROM open
    WHERE r.run_id = open.run_id AND (open.work_id IS NULL OR open.item IN (SELECT item FROM held)) AND r.last_seq = open.last_seq
    RETURNING open.item, r.run_id, open.work_id, open.ends_work, r.ended_at, r.xmin::text AS revision
  ), finished AS (
    DELETE FROM run_work w USING run WHERE w.work_id = run.work_id AND run.ends_work AND run.ended_at IS NULL
  ), cleared AS (
    DELETE FROM run_work w USING run WHERE w.run_id = run.run_id AND run.ended_at IS NOT NULL
  ), nodes AS (
    UPDATE run_nodes n
    SET status = u.status, is_queued = u.is_queued, started_at = u.started_at, ended_at = u.ended_at, deadline_at = u.deadline_at,
      error_code = u.error_code, error_message = u.error_message, attempt = u.attempt, closed_to = u.closed_to::text[],
      first_step = CASE WHEN u.attempt = n.attempt THEN n.first_step ELSE (
        SELECT coalesce(max(s.step) + 1, 0) FROM run_steps s WHERE s.run_id = n.run_id AND s.node_id = n.node_id) END
    FROM (SELECT ($22::bigint[])[nth.i][1]::int AS item, nth.node_id, nth.status, nth.is_queued, ($22::bigint[])[nth.i][2]::int AS attempt, nth.started_at, nth.ended_at, nth.deadline_at, nth.error_code, nth.error_message, nth.closed_to FROM unnest($13::text[], $14::text[], $15::bool[], $16::timestamptz[], $17::timestamptz[], $18::timestamptz[], $19::text[], $20::text[], $21::text[]) WITH ORDINALITY AS nth (node_id, status, is_queued, started_at, ended_at, deadline_at, error_code, error_message, closed_to, i)) AS u
    WHERE n.run_id = ($11::uuid[])[u.item][1] AND n.node_id = u.node_id AND (u.item IN (SELECT item FROM run)) IS TRUE
  ), events AS (
    INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
    SELECT ($11::uuid[])[e.item][1], ($12::bigint[])[e.item][2]::int + e.nth, ($1::timestamptz[])[e.item], e.type, e.node_id, e.body
    FROM (SELECT ($26::bigint[])[nth.i][1]::int AS item, ($26::bigint[])[nth.i][2]::int AS nth, nth.type, nth.node_id, nth.body FROM unnest($23::text[], $24::text[], $25::text[]) WITH ORDINALITY AS nth (type, node_id, body, i)) AS e WHERE (e.item IN (SELECT item FROM run)) IS TRUE
  ), artifacts AS (
    INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
    SELECT ($11::uuid[])[a.item][1], a.node_id, a.key, a.bytes, a.sha256, a.body, ($1::timestamptz[])[a.item]
    FROM (SELECT ($31::bigint[])[nth.i][1]::int AS item, nth.node_id, nth.key, ($31::bigint[])[nth.i][2]::int AS bytes, nth.sha256, nth.body FROM unnest($27::text[], $28::text[], $29::text[], $30::text[]) WITH ORDINALITY AS nth (node_id, key, sha256, body, i)) AS a WHERE (a.item IN (SELECT item FROM run)) IS TRUE
    ON CONFLICT (run_id, node_id, key)
    DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, body = excluded.body, created_at = excluded.created_at
  ), dispatched AS (
    INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, model_id, input_price_per_million_cents,
      output_price_per_million_cents, price_per_image_cents, held_microcents, llm_request, created_at, dispatched_at)
    SELECT ($11::uuid[])[d.item][1], d.node_id, d.step, d.attempt, d.request_id, 'dispatched', d.model_id, d.input_price,
      d.output_price, d.image_price, d.held_microcents, d.llm_request, ($1::timestamptz[])[d.item], clock_timestamp()
    FROM (SELECT ($36::bigint[])[nth.i][1]::int AS item, nth.node_id, ($36::bigint[])[nth.i][2]::int AS step, ($36::bigint[])[nth.i][3]::int AS attempt, ($35::uuid[])[nth.i] AS request_id, nth.model_id, ($36::bigint[])[nth.i][4] AS input_price, ($36::bigint[])[nth.i][5] AS output_price, ($36::bigint[])[nth.i][6] AS image_price, ($36::bigint[])[nth.i][7] AS held_microcents, nth.llm_request FROM unnest($32::text[], $33::text[], $34::text[]) WITH ORDINALITY AS nth (node_id, model_id, llm_request, i)) AS d WHERE (d.item IN (SELECT item FROM run)) IS TRUE
  ), ended AS (
    UPDATE run_steps t
    SET status = s.status, ended_at = ($1::timestamptz[])[s.item], provider = s.provider, cost_microcents = s.cost_microcents,
      input_tokens = s.input_tokens, output_tokens = s.output_tokens, llm_response = s.llm_response, error_code = s.error_code
    FROM (SELECT ($45::bigint[])[nth.i][1]::int AS item, nth.node_id, ($45::bigint[])[nth.i][2]::int AS step, ($45::bigint[])[nth.i][3]::int AS attempt, nth.status, nth.provider, nth.cost_microcents, nth.input_tokens, nth.output_tokens, nth.llm_response, nth.error_code FROM unnest($37::text[], $38::text[], $39::text[], $40::bigint[], $41::bigint[], $42::bigint[], $43::text[], $44::text[]) WITH ORDINALITY AS nth (node_id, status, provider, cost_microcents, input_tokens, output_tokens, llm_response, error_code, i)) AS s
    WHERE t.run_id = ($11::uuid[])[s.item][1] AND t.node_id = s.node_id AND t.step = s.step AND t.attempt = s.attempt
      AND (s.item IN (SELECT item FROM run)) IS TRUE
  ), outbox_events AS (
    INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
    SELECT o.id, o.topic, o.key, o.type, o.payload, o.occurred_at, o.request_id, o.traceparent
    FROM (SELECT ($54::bigint[])[nth.i]::int AS item, ($53::uuid[])[nth.i] AS id, nth.topic, nth.key, nth.type, nth.payload, nth.occurred_at, nth.request_id, nth.traceparent FROM unnest($46::text[], $47::text[], $48::text[], $49::bytea[], $50::timestamptz[], $51::text[], $52::text[]) WITH ORDINALITY AS nth (topic, key, type, payload, occurred_at, request_id, traceparent, i)) AS o WHERE (o.item IN (SELECT item FROM run)) IS TRUE
  ), queued AS (
    INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
    SELECT ($11::uuid[])[w.item][2], ($11::uuid[])[w.item][1], w.node_id, 'node', now() + w.delay_ms * interval '1 ms',
      w.owner, CASE WHEN w.owner IS NULL THEN 0 ELSE 1 END, now() + w.lease_ms * interval '1 ms'
    FROM (SELECT ($58::bigint[])[nth.i][1]::int AS item, nth.node_id, ($58::bigint[])[nth.i][2]::int AS delay_ms, nth.owner, nth.lease_ms::int AS lease_ms FROM unnest($55::text[], $56::uuid[], $57::bigint[]) WITH ORDINALITY AS nth (node_id, owner, lease_ms, i)) AS w WHERE (w.item IN (SELECT item FROM run)) IS TRUE
    RETURNING work_id, lease_epoch, kind, project_id, run_id, node_id, retries, waits
  )
  SELECT run_id AS "run_id", revision, clock_timestamp() AS now, NULL::bigint AS work_id, NULL::int AS lease_epoch,
    NULL AS kind, NULL::uuid AS project_id, NULL AS node_id, NULL::int AS retries, NULL::int AS waits
  FROM run
  UNION ALL
  SELECT run_id, NULL, NULL, work_id, lease_epoch, kind, project_id, node_id, retries, waits FROM queued WHERE lease_epoch > 0`;

/**
 * Writes transitions of different runs, each with its rows of all tables. Excludes a transition whose run has changed since, whose
 * row or work is locked by another transaction, or whose work is not held any more. Waits for no lock.
 * Rows of the other packs name their run by `item`, its number from 1, so they find its values without a join.
 * Returns a row for each run that was written, with its new revision, and one for each piece of work that this process keeps.
 */
export async function writeRuns(db: Queryable, input: WriteRunsInput): Promise<WriteRunsRow[]> {
  const { rows } = await db.query<WriteRunsRow>({
    name: 'write_runs',
    text: WRITE_RUNS,
    values: [
      binaryArray('timestamptz', input.runs.map((r) => r.at)),
      textArray(input.runs.map((r) => r.revision)),
      binaryArray('bigint', input.runs.map((r) => r.workId)),
      binaryArray('bigint', input.runs.map((r) => r.leaseEpoch)),
      binaryArray('bool', input.runs.map((r) => r.endsWork)),
      textArray(input.runs.map((r) => r.status)),
      textArray(input.runs.map((r) => r.outputs)),
      textArray(input.runs.map((r) => r.errorCode)),
      textArray(input.runs.map((r) => r.errorMessage)),
      binaryArray('timestamptz', input.runs.map((r) => r.endedAt)),
      uuidArray(input.runs, [(r) => r.runId, (r) => r.projectId]),
      bigintArray(input.runs, [(r) => r.item, (r) => r.lastSeq, (r) => r.eventCount]),
      textArray(input.nodes.map((r) => r.nodeId)),
      textArray(input.nodes.map((r) => r.status)),
      binaryArray('bool', input.nodes.map((r) => r.isQueued)),
      binaryArray('timestamptz', input.nodes.map((r) => r.startedAt)),
      binaryArray('timestamptz', input.nodes.map((r) => r.endedAt)),
      binaryArray('timestamptz', input.nodes.map((r) => r.deadlineAt)),
      textArray(input.nodes.map((r) => r.errorCode)),
      textArray(input.nodes.map((r) => r.errorMessage)),
      textArray(input.nodes.map((r) => r.closedTo)),
      bigintArray(input.nodes, [(r) => r.item, (r) => r.attempt]),
      textArray(input.events.map((r) => r.type)),
      textArray(input.events.map((r) => r.nodeId)),
      textArray(input.events.map((r) => r.body)),
      bigintArray(input.events, [(r) => r.item, (r) => r.nth]),
      textArray(input.artifacts.map((r) => r.nodeId)),
      textArray(input.artifacts.map((r) => r.key)),
      textArray(input.artifacts.map((r) => r.sha256)),
      textArray(input.artifacts.map((r) => r.body)),
      bigintArray(input.artifacts, [(r) => r.item, (r) => r.bytes]),
      textArray(input.dispatched.map((r) => r.nodeId)),
      textArray(input.dispatched.map((r) => r.modelId)),
      textArray(input.dispatched.map((r) => r.llmRequest)),
      uuidArray(input.dispatched, [(r) => r.requestId]),
      bigintArray(input.dispatched, [(r) => r.item, (r) => r.step, (r) => r.attempt, (r) => r.inputPrice, (r) => r.outputPrice, (r) => r.imagePrice, (r) => r.heldMicrocents]),
      textArray(input.ended.map((r) => r.nodeId)),
      textArray(input.ended.map((r) => r.status)),
      textArray(input.ended.map((r) => r.provider)),
      binaryArray('bigint', input.ended.map((r) => r.costMicrocents)),
      binaryArray('bigint', input.ended.map((r) => r.inputTokens)),
      binaryArray('bigint', input.ended.map((r) => r.outputTokens)),
      textArray(input.ended.map((r) => r.llmResponse)),
      textArray(input.ended.map((r) => r.errorCode)),
      bigintArray(input.ended, [(r) => r.item, (r) => r.step, (r) => r.attempt]),
      textArray(input.outbox.map((r) => r.topic)),
      textArray(input.outbox.map((r) => r.key)),
      textArray(input.outbox.map((r) => r.type)),
      byteaArray(input.outbox.map((r) => r.payload)),
      binaryArray('timestamptz', input.outbox.map((r) => r.occurredAt)),
      textArray(input.outbox.map((r) => r.requestId)),
      textArray(input.outbox.map((r) => r.traceparent)),
      uuidArray(input.outbox, [(r) => r.id]),
      bigintArray(input.outbox, [(r) => r.item]),
      textArray(input.work.map((r) => r.nodeId)),
      binaryArray('uuid', input.work.map((r) => r.owner)),
      binaryArray('bigint', input.work.map((r) => r.leaseMs)),
      bigintArray(input.work, [(r) => r.item, (r) => r.delayMs]),
    ],
  });
  return rows;
}
