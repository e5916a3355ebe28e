import type { OutboxEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import type { ElementType } from '@tollgate/postgres/columns';
import type { NodeState, RunDraft } from '../domain/run/run-draft.js';
import { isTerminal } from '../domain/run/status.js';
import type { WorkItem } from '../domain/run/work-item.js';
import type { Artifact } from './artifacts.js';
import type { Fence } from './lock-run.js';
import { Parameters } from './parameters.js';
import { type Lease, toWorkItem } from './queues/run-work.js';
import type { DispatchedStep, EndedStep } from './run-steps.js';

/** Model steps that commit with a transition. */
export interface StepWrites {
  /** New steps, whose calls are made after the commit. */
  dispatched: DispatchedStep[];
  ended: EndedStep[];
}

/** Everything that one transition writes. */
export interface RunWrite {
  draft: RunDraft;
  artifacts: readonly Artifact[];
  steps: StepWrites;
  /** The event for `tollgate.runs.v1`. */
  outbox: OutboxEvent | undefined;
  /** How many of the newly queued nodes this process keeps for itself. */
  keep: number;
  lease: Lease;
  /** The version of the run's row that the draft was made from; undefined in a transaction that has locked it. */
  revision: string | undefined;
  /** The work that must still be held; undefined when the transaction has checked it, or when there is none. */
  fence: Fence | undefined;
}

export interface WrittenRun {
  /** The version of the run's row. Every change of it, by any process, makes another one. */
  revision: string;
  /** The database's clock. */
  now: Date;
  /** The work that this process keeps. */
  kept: WorkItem[];
}

/**
 * Writes transitions of different runs in one statement: runs, nodes, events, artifacts, steps, outbox and work. Returns
 * undefined for a transition that was not written: its run has changed since, its row or its work is locked by another
 * transaction, or the work is not held any more. Such a transition does not affect the others, and none waits for a lock.
 * `seq` is taken from the run row's counter, so the log has no gaps.
 */
export async function writeRuns(db: Queryable, writes: readonly RunWrite[]): Promise<(WrittenRun | undefined)[]> {
  const result = await db.query({ name: 'runs.write', text: WRITE, values: parameters.values(writes) });
  const written = new Map<string, WrittenRun>();
  const planHashes = new Map(writes.map(({ draft }) => [draft.runId, draft.planHash]));
  for (const row of result.rows) {
    if (row.work_id === null) written.set(row.run_id, { revision: row.revision, now: row.now, kept: [] });
  }
  for (const row of result.rows) {
    if (row.work_id === null) continue;
    written.get(row.run_id)?.kept.push({ ...toWorkItem(row), planHash: planHashes.get(row.run_id) as string });
  }
  return writes.map(({ draft }) => written.get(draft.runId));
}

interface Placed<Row> {
  row: Row;
  /** The number of the transition, from 1. */
  item: number;
  /** The place of the row within its transition, from 1. */
  nth: number;
}

const parameters = new Parameters<readonly RunWrite[]>();

/** Declares rows of all transitions, with the columns `item` and `nth`. */
function declareRows<Row>(
  alias: string,
  read: (write: RunWrite) => readonly Row[],
  columns: Record<string, readonly [type: ElementType, value: (row: Row, nth: number, write: RunWrite) => unknown]>,
): string {
  type Cell = Placed<Row> & { write: RunWrite };
  const cells = Object.entries(columns).map(
    ([name, [type, value]]) => [name, [type, ({ row, nth, write }: Cell) => value(row, nth, write)]] as const,
  );
  const place = (writes: readonly RunWrite[]): Cell[] =>
    writes.flatMap((write, index) => read(write).map((row, at) => ({ row, item: index + 1, nth: at + 1, write })));
  return parameters.rows<Cell>(alias, place, {
    ...Object.fromEntries(cells),
    item: ['int', ({ item }) => item],
    nth: ['int', ({ nth }) => nth],
  });
}

/** Arrays of one value per transition. Lists of rows look their run up by `item`, without a join. */
const RUN_IDS = parameters.list('uuid', (writes) => writes.map(({ draft }) => draft.runId));
const PROJECT_IDS = parameters.list('uuid', (writes) => writes.map(({ draft }) => draft.projectId));
const TIMES = parameters.list('timestamptz', (writes) => writes.map(({ draft }) => draft.now));
const LAST_SEQS = parameters.list('int', (writes) => writes.map(({ draft }) => draft.lastSeq));

const RUNS = declareRows('i', (write) => [write], {
  revision: ['text', ({ revision }) => revision ?? null],
  work_id: ['bigint', ({ fence }) => fence?.workId ?? null],
  lease_epoch: ['int', ({ fence }) => fence?.epoch ?? null],
  ends_work: ['bool', ({ fence }) => fence?.ends ?? false],
  event_count: ['int', ({ draft }) => draft.events.length],
  status: ['text', ({ draft }) => draft.status],
  outputs: ['text', ({ draft }) => draft.outputs],
  error_code: ['text', ({ draft }) => draft.failure?.code ?? null],
  error_message: ['text', ({ draft }) => withoutNul(draft.failure?.message)],
  ended_at: ['timestamptz', ({ draft }) => (isTerminal(draft.status) ? draft.now : null)],
});

const NODES = declareRows('u', ({ draft }) => changedNodes(draft), {
  node_id: ['text', (node) => node.id],
  status: ['text', (node) => node.status],
  is_queued: ['bool', (node) => node.isQueued],
  attempt: ['int', (node) => node.attempt],
  started_at: ['timestamptz', (node) => node.startedAt],
  ended_at: ['timestamptz', (node) => node.endedAt],
  deadline_at: ['timestamptz', (node) => node.deadlineAt],
  error_code: ['text', (node) => node.failure?.code ?? null],
  error_message: ['text', (node) => withoutNul(node.failure?.message)],
  // PostgreSQL flattens an array of arrays, so each node's list is passed as an array literal.
  closed_to: ['text', (node) => `{${node.closedTo.join(',')}}`],
});

const EVENTS = declareRows('e', ({ draft }) => draft.events, {
  type: ['text', (event) => event.type],
  node_id: ['text', (event) => event.nodeId ?? null],
  body: ['text', (event) => event.body],
});

const ARTIFACTS = declareRows('a', ({ artifacts }) => artifacts, {
  node_id: ['text', (artifact) => artifact.nodeId],
  key: ['text', (artifact) => artifact.key],
  bytes: ['int', (artifact) => artifact.bytes],
  sha256: ['text', (artifact) => artifact.sha256],
  body: ['text', (artifact) => artifact.body],
});

const DISPATCHED = declareRows('d', ({ steps }) => steps.dispatched, {
  node_id: ['text', ({ ref }) => ref.nodeId],
  step: ['int', ({ ref }) => ref.step],
  attempt: ['int', ({ ref }) => ref.attempt],
  request_id: ['uuid', ({ holdId }) => holdId],
  model_id: ['text', ({ dispatch }) => dispatch.modelId],
  input_price: ['bigint', ({ dispatch }) => dispatch.prices.inputPerMillionCents],
  output_price: ['bigint', ({ dispatch }) => dispatch.prices.outputPerMillionCents],
  image_price: ['bigint', ({ dispatch }) => dispatch.prices.perImageCents],
  held_microcents: ['bigint', ({ dispatch }) => dispatch.heldMicrocents],
  llm_request: ['text', ({ dispatch }) => dispatch.llmRequest],
});

const ENDED = declareRows('s', ({ steps }) => steps.ended, {
  node_id: ['text', ({ ref }) => ref.nodeId],
  step: ['int', ({ ref }) => ref.step],
  attempt: ['int', ({ ref }) => ref.attempt],
  status: ['text', ({ end }) => end.status],
  provider: ['text', ({ end }) => end.provider ?? null],
  cost_microcents: ['bigint', ({ end }) => end.costMicrocents ?? null],
  input_tokens: ['bigint', ({ end }) => end.inputTokens ?? null],
  output_tokens: ['bigint', ({ end }) => end.outputTokens ?? null],
  llm_response: ['text', ({ end }) => end.llmResponse ?? null],
  error_code: ['text', ({ end }) => end.errorCode ?? null],
});

const OUTBOX = declareRows('o', ({ outbox }) => (outbox ? [outbox] : []), {
  id: ['uuid', (event) => event.id],
  topic: ['text', (event) => event.topic],
  key: ['text', (event) => event.key],
  type: ['text', (event) => event.type],
  payload: ['bytea', ({ payload }) => payload],
  occurred_at: ['timestamptz', (event) => event.occurredAt],
  request_id: ['text', (event) => event.requestId ?? null],
  traceparent: ['text', (event) => event.traceparent ?? null],
});

const WORK = declareRows('w', ({ draft }) => sortWork(draft), {
  node_id: ['text', (work) => work.id],
  delay_ms: ['int', (work) => work.delayMs],
  owner: ['uuid', (_, nth, { keep, lease }) => (nth <= keep ? lease.owner : null)],
  lease_ms: ['int', (_, nth, { keep, lease }) => (nth <= keep ? lease.leaseMs : null)],
});

/**
 * The condition that the transition of a row was written. A hashed subplan: a join would compare each row with each
 * run, because sessions of queues use nested loops only. `IS TRUE` keeps the planner from turning it into one.
 */
function isWritten(alias: string): string {
  return `(${alias}.item IN (SELECT item FROM run)) IS TRUE`;
}

const WRITE = `
  WITH open AS (
    SELECT i.*, r.run_id FROM ${RUNS} JOIN runs r ON r.run_id = ${RUN_IDS}[i.item]
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
    WHERE r.run_id = open.run_id AND (open.work_id IS NULL OR open.item IN (SELECT item FROM held))
      AND r.last_seq = ${LAST_SEQS}[open.item]
    RETURNING open.item, r.run_id, open.work_id, open.ends_work, r.ended_at, r.xmin::text AS revision
  ), finished AS (
    DELETE FROM run_work w USING run WHERE w.work_id = run.work_id AND run.ends_work AND run.ended_at IS NULL
  ), cleared AS (
    DELETE FROM run_work w USING run WHERE w.run_id = run.run_id AND run.ended_at IS NOT NULL
  ), nodes AS (
    UPDATE run_nodes n
    SET status = u.status, is_queued = u.is_queued, started_at = u.started_at, ended_at = u.ended_at,
        deadline_at = u.deadline_at, error_code = u.error_code, error_message = u.error_message,
        attempt = u.attempt, closed_to = u.closed_to::text[],
        first_step = CASE WHEN u.attempt = n.attempt THEN n.first_step ELSE (
          SELECT coalesce(max(s.step) + 1, 0) FROM run_steps s
          WHERE s.run_id = n.run_id AND s.node_id = n.node_id) END
    FROM ${NODES}
    WHERE n.run_id = ${RUN_IDS}[u.item] AND n.node_id = u.node_id AND ${isWritten('u')}
  ), events AS (
    INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
    SELECT ${RUN_IDS}[e.item], ${LAST_SEQS}[e.item] + e.nth, ${TIMES}[e.item], e.type, e.node_id, e.body
    FROM ${EVENTS} WHERE ${isWritten('e')}
  ), artifacts AS (
    INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
    SELECT ${RUN_IDS}[a.item], a.node_id, a.key, a.bytes, a.sha256, a.body, ${TIMES}[a.item]
    FROM ${ARTIFACTS} WHERE ${isWritten('a')}
    ON CONFLICT (run_id, node_id, key)
    DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, body = excluded.body, created_at = excluded.created_at
  ), dispatched AS (
    INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, model_id, input_price_per_million_cents,
                           output_price_per_million_cents, price_per_image_cents, held_microcents, llm_request,
                           created_at, dispatched_at)
    SELECT ${RUN_IDS}[d.item], d.node_id, d.step, d.attempt, d.request_id, 'dispatched', d.model_id, d.input_price,
           d.output_price, d.image_price, d.held_microcents, d.llm_request, ${TIMES}[d.item], clock_timestamp()
    FROM ${DISPATCHED} WHERE ${isWritten('d')}
  ), ended AS (
    UPDATE run_steps t
    SET status = s.status, ended_at = ${TIMES}[s.item], provider = s.provider, cost_microcents = s.cost_microcents,
        input_tokens = s.input_tokens, output_tokens = s.output_tokens, llm_response = s.llm_response,
        error_code = s.error_code
    FROM ${ENDED}
    WHERE t.run_id = ${RUN_IDS}[s.item] AND t.node_id = s.node_id AND t.step = s.step AND t.attempt = s.attempt
      AND ${isWritten('s')}
  ), outbox_events AS (
    INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
    SELECT o.id, o.topic, o.key, o.type, o.payload, o.occurred_at, o.request_id, o.traceparent
    FROM ${OUTBOX} WHERE ${isWritten('o')}
  ), queued AS (
    INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
    SELECT ${PROJECT_IDS}[w.item], ${RUN_IDS}[w.item], w.node_id, 'node', now() + w.delay_ms * interval '1 ms',
           w.owner, CASE WHEN w.owner IS NULL THEN 0 ELSE 1 END, now() + w.lease_ms * interval '1 ms'
    FROM ${WORK} WHERE ${isWritten('w')}
    RETURNING work_id, lease_epoch, kind, project_id, run_id, node_id, retries, waits
  )
  SELECT run_id, revision, clock_timestamp() AS now, NULL::bigint AS work_id, NULL::int AS lease_epoch,
         NULL AS kind, NULL::uuid AS project_id, NULL AS node_id, NULL::int AS retries, NULL::int AS waits
  FROM run
  UNION ALL
  SELECT run_id, NULL, NULL, work_id, lease_epoch, kind, project_id, node_id, retries, waits
  FROM queued WHERE lease_epoch > 0`;

/** Returns the nodes to queue, by delay: this process leases the first ones itself. */
export function sortWork({ toQueue }: RunDraft): RunDraft['toQueue'] {
  return toQueue.toSorted((a, b) => a.delayMs - b.delayMs);
}

/** The nodes whose rows exist and have changed. */
function changedNodes(draft: RunDraft): NodeState[] {
  const spawned = new Set(draft.spawned.map(({ id }) => id));
  return [...draft.nodes.values()].filter(({ id }) => draft.touched.has(id) && !spawned.has(id));
}

/** Removes NUL, which a provider's message may contain and PostgreSQL rejects in text. */
function withoutNul(text: string | undefined): string | null {
  return text?.replaceAll('\0', '') ?? null;
}
