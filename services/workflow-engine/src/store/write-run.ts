import type { Tx } from '@tollgate/postgres';
import type { NodeState, RunDraft } from '../domain/run/run-draft.js';
import { isTerminal } from '../domain/run/status.js';
import { deleteWorkOfNodes, deleteWorkOfRun, insertAlarm, type Lease, toWorkItem } from './run-work.js';
import { recordUnknownCosts } from './unknown-costs.js';
import type { WorkItem } from './work-item.js';

export interface Artifact {
  nodeId: string;
  key: string;
  bytes: number;
  sha256: string;
  body: string;
}

export interface WriteOptions {
  artifacts: readonly Artifact[];
  /** How many of the newly queued nodes this process keeps for itself. */
  keep: number;
  lease: Lease;
}

/**
 * Writes a changed draft: run, nodes, events, artifacts and work in one statement of the transaction that holds the
 * run's lock. `seq` is taken from the run row's counter, so the log has no gaps. Returns the work this process keeps.
 */
export async function writeRun(tx: Tx, draft: RunDraft, options: WriteOptions): Promise<WorkItem[]> {
  if (isTerminal(draft.status)) await deleteWorkOfRun(tx, draft.runId);
  else if (draft.toDrop.length > 0) await deleteWorkOfNodes(tx, draft.runId, draft.toDrop);
  if (draft.status === 'failed' || draft.status === 'canceled' || draft.toDrop.length > 0) {
    await recordUnknownCosts(tx, draft);
  }
  if (draft.spawned.length > 0) await insertSpawned(tx, draft);
  if (!isTerminal(draft.status)) {
    for (const alarm of draft.alarms) await insertAlarm(tx, { ...draft, ...alarm, kind: 'node_deadline' });
  }
  const result = await tx.query({
    name: 'runs.write',
    text: WRITE,
    values: [
      ...runValues(draft),
      ...nodeValues(draft),
      ...eventValues(draft),
      ...artifactValues(options.artifacts),
      ...workValues(draft, options),
      ...attemptValues(draft),
    ],
  });
  const kept = result.rows.filter((row) => row.lease_epoch > 0);
  return kept.map((row) => ({ ...toWorkItem(row), planHash: draft.planHash }));
}

const WRITE = `
  WITH run AS (
    UPDATE runs SET last_seq = last_seq + $3, status = $4, outputs = $5, error_code = $6, error_message = $7, ended_at = $8
    WHERE run_id = $1
    RETURNING last_seq - $3 AS base
  ), nodes AS (
    UPDATE run_nodes n
    SET status = u.status, is_queued = u.is_queued, started_at = u.started_at, ended_at = u.ended_at,
        deadline_at = u.deadline_at, error_code = u.error_code, error_message = u.error_message,
        attempt = u.attempt, closed_to = u.closed_to::text[],
        first_step = CASE WHEN u.attempt = n.attempt THEN n.first_step ELSE (
          SELECT coalesce(max(s.step) + 1, 0) FROM run_steps s WHERE s.run_id = $1 AND s.node_id = n.node_id) END
    FROM unnest($9::text[], $10::text[], $11::bool[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[],
                $15::text[], $16::text[], $31::int[], $32::text[])
      AS u(node_id, status, is_queued, started_at, ended_at, deadline_at, error_code, error_message, attempt, closed_to)
    WHERE n.run_id = $1 AND n.node_id = u.node_id
  ), events AS (
    INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
    SELECT $1, run.base + e.position, $2, e.type, e.node_id, e.body
    FROM run, unnest($17::text[], $18::text[], $19::text[]) WITH ORDINALITY AS e(type, node_id, body, position)
  ), artifacts AS (
    INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
    SELECT $1, a.node_id, a.key, a.bytes, a.sha256, a.body, $2
    FROM unnest($20::text[], $21::text[], $22::int[], $23::text[], $24::text[]) AS a(node_id, key, bytes, sha256, body)
    ON CONFLICT (run_id, node_id, key)
    DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, body = excluded.body, created_at = excluded.created_at
  )
  INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
  SELECT $25, $1, w.node_id, 'node', now() + w.delay_ms * interval '1 ms',
         CASE WHEN w.position <= $27 THEN $28::uuid END,
         CASE WHEN w.position <= $27 THEN 1 ELSE 0 END,
         CASE WHEN w.position <= $27 THEN now() + $29 * interval '1 ms' END
  FROM unnest($26::text[], $30::int[]) WITH ORDINALITY AS w(node_id, delay_ms, position)
  RETURNING work_id, lease_epoch, kind, project_id, run_id, node_id, retries, waits`;

function runValues(draft: RunDraft): unknown[] {
  const endedAt = isTerminal(draft.status) ? draft.now : null;
  const { failure } = draft;
  return [
    draft.runId,
    draft.now,
    draft.events.length,
    draft.status,
    draft.outputs,
    failure?.code ?? null,
    storable(failure?.message),
    endedAt,
  ];
}

function touchedNodes(draft: RunDraft): NodeState[] {
  const spawned = new Set(draft.spawned.map(({ id }) => id));
  return [...draft.nodes.values()].filter(({ id }) => draft.touched.has(id) && !spawned.has(id));
}

function nodeValues(draft: RunDraft): unknown[] {
  const nodes = touchedNodes(draft);
  return [
    nodes.map((node) => node.id),
    nodes.map((node) => node.status),
    nodes.map((node) => node.isQueued),
    nodes.map((node) => node.startedAt),
    nodes.map((node) => node.endedAt),
    nodes.map((node) => node.deadlineAt),
    nodes.map((node) => node.failure?.code ?? null),
    nodes.map((node) => storable(node.failure?.message)),
  ];
}

function eventValues(draft: RunDraft): unknown[] {
  return [
    draft.events.map((event) => event.type),
    draft.events.map((event) => event.nodeId ?? null),
    draft.events.map((event) => event.body),
  ];
}

function artifactValues(artifacts: readonly Artifact[]): unknown[] {
  return [
    artifacts.map((artifact) => artifact.nodeId),
    artifacts.map((artifact) => artifact.key),
    artifacts.map((artifact) => artifact.bytes),
    artifacts.map((artifact) => artifact.sha256),
    artifacts.map((artifact) => artifact.body),
  ];
}

/** What is due later goes last: this process keeps the first ones for itself. */
function workValues(draft: RunDraft, { keep, lease }: WriteOptions): unknown[] {
  const queued = draft.toQueue.toSorted((a, b) => a.delayMs - b.delayMs);
  const ids = queued.map((work) => work.id);
  return [draft.projectId, ids, keep, lease.owner, lease.leaseMs, queued.map((work) => work.delayMs)];
}

/** Of arrays of arrays PostgreSQL makes one, so each node's list goes as its literal. */
function attemptValues(draft: RunDraft): unknown[] {
  const nodes = touchedNodes(draft);
  return [nodes.map((node) => node.attempt), nodes.map((node) => `{${node.closedTo.join(',')}}`)];
}

async function insertSpawned(tx: Tx, { runId, nodes, spawned }: RunDraft): Promise<void> {
  await tx.query({
    name: 'run_nodes.spawn',
    text: `INSERT INTO run_nodes (run_id, node_id, position, item_index, type, status, is_queued)
           SELECT $1, s.node_id, p.position, s.item_index, s.type, 'pending', s.is_queued
           FROM unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::bool[])
             AS s(node_id, parent_id, item_index, type, is_queued)
           JOIN run_nodes p ON p.run_id = $1 AND p.node_id = s.parent_id`,
    values: [
      runId,
      spawned.map((node) => node.id),
      spawned.map((node) => node.parentId),
      spawned.map((node) => node.index),
      spawned.map((node) => node.type),
      spawned.map((node) => nodes.get(node.id)?.isQueued ?? false),
    ],
  });
}

/** A provider's words may hold NUL, the one character that PostgreSQL refuses in text. */
function storable(text: string | undefined): string | null {
  return text?.replaceAll('\0', '') ?? null;
}
