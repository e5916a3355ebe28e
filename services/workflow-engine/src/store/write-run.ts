import type { Tx } from '@tollgate/postgres';
import type { NodeState, RunDraft } from '../domain/run/run-draft.js';
import { isTerminal } from '../domain/run/status.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { Parameters } from './parameters.js';
import { deleteWorkOfNodes, deleteWorkOfRun, insertAlarm, type Lease, toWorkItem } from './queues/run-work.js';
import { recordUnknownCosts } from './queues/unknown-costs.js';

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
  if (draft.spawned.length > 0) {
    await tx.query({ name: 'run_nodes.spawn', text: SPAWN, values: spawnParameters.values(draft) });
  }
  if (!isTerminal(draft.status)) {
    for (const alarm of draft.alarms) await insertAlarm(tx, { ...draft, ...alarm, kind: 'node_deadline' });
  }
  const result = await tx.query({
    name: 'runs.write',
    text: WRITE,
    values: writeParameters.values({ draft, ...options }),
  });
  const kept = result.rows.filter((row) => row.lease_epoch > 0);
  return kept.map((row) => ({ ...toWorkItem(row), planHash: draft.planHash }));
}

const writeParameters = new Parameters<WriteOptions & { draft: RunDraft }>();

const RUN = {
  id: writeParameters.value('uuid', ({ draft }) => draft.runId),
  projectId: writeParameters.value('uuid', ({ draft }) => draft.projectId),
  now: writeParameters.value('timestamptz', ({ draft }) => draft.now),
  eventCount: writeParameters.value('int', ({ draft }) => draft.events.length),
  status: writeParameters.value('text', ({ draft }) => draft.status),
  outputs: writeParameters.value('text', ({ draft }) => draft.outputs),
  errorCode: writeParameters.value('text', ({ draft }) => draft.failure?.code ?? null),
  errorMessage: writeParameters.value('text', ({ draft }) => withoutNul(draft.failure?.message)),
  endedAt: writeParameters.value('timestamptz', ({ draft }) => (isTerminal(draft.status) ? draft.now : null)),
};

const NODES = writeParameters.rows('u', ({ draft }) => changedNodes(draft), {
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

const EVENTS = writeParameters.rows('e', ({ draft }) => draft.events, {
  type: ['text', (event) => event.type],
  node_id: ['text', (event) => event.nodeId ?? null],
  body: ['text', (event) => event.body],
});

const ARTIFACTS = writeParameters.rows('a', ({ artifacts }) => artifacts, {
  node_id: ['text', (artifact) => artifact.nodeId],
  key: ['text', (artifact) => artifact.key],
  bytes: ['int', (artifact) => artifact.bytes],
  sha256: ['text', (artifact) => artifact.sha256],
  body: ['text', (artifact) => artifact.body],
});

/** Sorted by delay, because this process leases the first rows itself. */
const WORK = writeParameters.rows('w', ({ draft }) => draft.toQueue.toSorted((a, b) => a.delayMs - b.delayMs), {
  node_id: ['text', (work) => work.id],
  delay_ms: ['int', (work) => work.delayMs],
});

const LEASE = {
  keep: writeParameters.value('int', ({ keep }) => keep),
  owner: writeParameters.value('uuid', ({ lease }) => lease.owner),
  ms: writeParameters.value('int', ({ lease }) => lease.leaseMs),
};

const WRITE = `
  WITH run AS (
    UPDATE runs
    SET last_seq = last_seq + ${RUN.eventCount}, status = ${RUN.status}, outputs = ${RUN.outputs},
        error_code = ${RUN.errorCode}, error_message = ${RUN.errorMessage}, ended_at = ${RUN.endedAt}
    WHERE run_id = ${RUN.id}
    RETURNING last_seq - ${RUN.eventCount} AS base
  ), nodes AS (
    UPDATE run_nodes n
    SET status = u.status, is_queued = u.is_queued, started_at = u.started_at, ended_at = u.ended_at,
        deadline_at = u.deadline_at, error_code = u.error_code, error_message = u.error_message,
        attempt = u.attempt, closed_to = u.closed_to::text[],
        first_step = CASE WHEN u.attempt = n.attempt THEN n.first_step ELSE (
          SELECT coalesce(max(s.step) + 1, 0) FROM run_steps s
          WHERE s.run_id = ${RUN.id} AND s.node_id = n.node_id) END
    FROM ${NODES}
    WHERE n.run_id = ${RUN.id} AND n.node_id = u.node_id
  ), events AS (
    INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
    SELECT ${RUN.id}, run.base + e.position, ${RUN.now}, e.type, e.node_id, e.body FROM run, ${EVENTS}
  ), artifacts AS (
    INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
    SELECT ${RUN.id}, a.node_id, a.key, a.bytes, a.sha256, a.body, ${RUN.now} FROM ${ARTIFACTS}
    ON CONFLICT (run_id, node_id, key)
    DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, body = excluded.body, created_at = excluded.created_at
  )
  INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
  SELECT ${RUN.projectId}, ${RUN.id}, w.node_id, 'node', now() + w.delay_ms * interval '1 ms',
         CASE WHEN w.position <= ${LEASE.keep} THEN ${LEASE.owner} END,
         CASE WHEN w.position <= ${LEASE.keep} THEN 1 ELSE 0 END,
         CASE WHEN w.position <= ${LEASE.keep} THEN now() + ${LEASE.ms} * interval '1 ms' END
  FROM ${WORK}
  RETURNING work_id, lease_epoch, kind, project_id, run_id, node_id, retries, waits`;

const spawnParameters = new Parameters<RunDraft>();
const SPAWN_RUN_ID = spawnParameters.value('uuid', ({ runId }) => runId);
const SPAWNED = spawnParameters.rows(
  's',
  ({ spawned, nodes }) => spawned.map((node) => ({ ...node, isQueued: nodes.get(node.id)?.isQueued ?? false })),
  {
    node_id: ['text', (node) => node.id],
    parent_id: ['text', (node) => node.parentId],
    item_index: ['int', (node) => node.index],
    type: ['text', (node) => node.type],
    is_queued: ['bool', (node) => node.isQueued],
  },
);

const SPAWN = `
  INSERT INTO run_nodes (run_id, node_id, position, item_index, type, status, is_queued)
  SELECT ${SPAWN_RUN_ID}, s.node_id, p.position, s.item_index, s.type, 'pending', s.is_queued
  FROM ${SPAWNED}
  JOIN run_nodes p ON p.run_id = ${SPAWN_RUN_ID} AND p.node_id = s.parent_id`;

/** The nodes whose rows exist and have changed. */
function changedNodes(draft: RunDraft): NodeState[] {
  const spawned = new Set(draft.spawned.map(({ id }) => id));
  return [...draft.nodes.values()].filter(({ id }) => draft.touched.has(id) && !spawned.has(id));
}

/** Removes NUL, which a provider's message may contain and PostgreSQL rejects in text. */
function withoutNul(text: string | undefined): string | null {
  return text?.replaceAll('\0', '') ?? null;
}
