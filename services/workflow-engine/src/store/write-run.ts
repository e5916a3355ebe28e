import type { Tx } from '@tollgate/postgres';
import type { RunDraft } from '../domain/run-draft.js';
import { isTerminal } from '../domain/status.js';
import { deleteWorkOfRun, type Lease, toWorkItem } from './run-work.js';
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
  const result = await tx.query({
    name: 'runs.write',
    text: WRITE,
    values: [
      ...runValues(draft),
      ...nodeValues(draft),
      ...eventValues(draft),
      ...artifactValues(options.artifacts),
    ].concat(workValues(draft, options)),
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
        deadline_at = u.deadline_at, error_code = u.error_code, error_message = u.error_message
    FROM unnest($9::text[], $10::text[], $11::bool[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[],
                $15::text[], $16::text[])
      AS u(node_id, status, is_queued, started_at, ended_at, deadline_at, error_code, error_message)
    WHERE n.run_id = $1 AND n.node_id = u.node_id
  ), events AS (
    INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
    SELECT $1, run.base + e.position, $2, e.type, e.node_id, e.body
    FROM run, unnest($17::text[], $18::text[], $19::text[]) WITH ORDINALITY AS e(type, node_id, body, position)
  ), artifacts AS (
    INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
    SELECT $1, a.node_id, a.key, a.bytes, a.sha256, a.body, $2
    FROM unnest($20::text[], $21::text[], $22::int[], $23::text[], $24::text[]) AS a(node_id, key, bytes, sha256, body)
  )
  INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
  SELECT $25, $1, w.node_id, 'node', now(),
         CASE WHEN w.position <= $27 THEN $28::uuid END,
         CASE WHEN w.position <= $27 THEN 1 ELSE 0 END,
         CASE WHEN w.position <= $27 THEN now() + $29 * interval '1 ms' END
  FROM unnest($26::text[]) WITH ORDINALITY AS w(node_id, position)
  RETURNING work_id, lease_epoch, kind, project_id, run_id, node_id, retries`;

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

function nodeValues(draft: RunDraft): unknown[] {
  const nodes = [...draft.nodes.values()].filter((node) => draft.touched.has(node.id));
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

function workValues(draft: RunDraft, options: WriteOptions): unknown[] {
  return [draft.projectId, draft.toQueue, options.keep, options.lease.owner, options.lease.leaseMs];
}

/** A provider's words may hold NUL, the one character that PostgreSQL refuses in text. */
function storable(text: string | undefined): string | null {
  return text?.replaceAll('\0', '') ?? null;
}
