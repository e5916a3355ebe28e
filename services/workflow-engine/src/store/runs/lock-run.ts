import type { ErrorCode } from '@tollgate/errors';
import type { Queryable, Tx } from '@tollgate/postgres';
import type { NodeState } from '../../domain/run/run-draft.js';
import type { NodeStatus, RunStatus } from '../../domain/run/status.js';

/** A run whose row is locked by this transaction. */
export interface LockedRun {
  runId: string;
  projectId: string;
  customerId: string | null;
  planHash: string;
  status: RunStatus;
  principal: Buffer;
  sessionId: string | null;
  modelOverride: string | null;
  /** JSON of the values of the declared inputs. */
  input: string | null;
  lastSeq: number;
  createdAt: Date;
  /** W3C context of the request that started the run. */
  traceparent: string | null;
}

/**
 * Locks the run's row. This is always the first lock of a transition, so the transitions of a run are serialized and
 * the order of their commits is the order of `seq`.
 */
export async function lockRun(tx: Tx, runId: string): Promise<LockedRun | undefined> {
  const result = await tx.query({
    name: 'runs.lock',
    text: `SELECT run_id, project_id, customer_id, plan_hash, status, principal, session_id, model_override, input,
                  last_seq, created_at, traceparent
           FROM runs WHERE run_id = $1 FOR UPDATE`,
    values: [runId],
  });
  const row = result.rows[0];
  if (!row) return undefined;
  return {
    runId: row.run_id,
    projectId: row.project_id,
    customerId: row.customer_id,
    planHash: row.plan_hash,
    status: row.status,
    principal: row.principal,
    sessionId: row.session_id,
    modelOverride: row.model_override,
    input: row.input,
    lastSeq: row.last_seq,
    createdAt: row.created_at,
    traceparent: row.traceparent,
  };
}

/** Loads the serialized principal that started the run. */
export async function loadPrincipal(db: Queryable, runId: string): Promise<Buffer> {
  const text = 'SELECT principal FROM runs WHERE run_id = $1';
  const result = await db.query<{ principal: Buffer }>({ name: 'runs.principal', text, values: [runId] });
  const row = result.rows[0];
  if (!row) throw new Error(`no run ${runId}`);
  return row.principal;
}

/** Identifies a piece of work that a transition must still hold. `ends` deletes it in the same transaction. */
export interface Fence {
  workId: bigint;
  epoch: number;
  ends: boolean;
}

export interface LoadedNodes {
  /** Whether the work is still held; true without a fence. */
  isHeld: boolean;
  now: Date;
  nodes: Map<string, NodeState>;
  /** Bytes of all artifacts of the run. */
  keptBytes: number;
}

interface NodeRow {
  node_id: string;
  status: NodeStatus;
  is_queued: boolean;
  attempt: number;
  closed_to: string[];
  started_at: Date | null;
  ended_at: Date | null;
  deadline_at: Date | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  now: Date;
  is_held: boolean;
  kept_bytes: bigint;
}

/**
 * Reads the nodes of a locked run and checks the fence. This is a separate statement that starts after the lock was
 * granted: a statement that waits for the lock would see the nodes as they were before the wait.
 */
export async function loadNodes(tx: Tx, runId: string, fence: Fence | undefined): Promise<LoadedNodes> {
  const result = await tx.query<NodeRow>(
    fence
      ? {
          name: fence.ends ? 'run_nodes.load_and_finish' : 'run_nodes.load_and_keep',
          text: `WITH held AS (${fence.ends ? FINISH : KEEP}) ${nodesSql('EXISTS (SELECT FROM held)')}`,
          values: [runId, fence.workId, fence.epoch],
        }
      : { name: 'run_nodes.load', text: nodesSql('true'), values: [runId] },
  );
  const first = result.rows[0];
  if (!first) throw new Error(`run ${runId} has no nodes`);
  const nodes = new Map(result.rows.map((row) => [row.node_id, toNodeState(row)]));
  return { isHeld: first.is_held, now: first.now, nodes, keptBytes: Number(first.kept_bytes) };
}

/** Not before the last event, whose time another process may have derived from an earlier reading of the clock. */
const NOW = `greatest(clock_timestamp(),
  (SELECT ts FROM run_events WHERE run_id = $1 ORDER BY seq DESC LIMIT 1))`;
const FINISH = 'DELETE FROM run_work WHERE run_id = $1 AND work_id = $2 AND lease_epoch = $3 RETURNING 1';
const KEEP = 'SELECT 1 FROM run_work WHERE run_id = $1 AND work_id = $2 AND lease_epoch = $3 FOR UPDATE';

function nodesSql(isHeld: string): string {
  return `SELECT node_id, status, is_queued, attempt, closed_to, started_at, ended_at, deadline_at, error_code,
                 error_message, ${NOW} AS now, ${isHeld} AS is_held,
                 (SELECT coalesce(sum(bytes), 0) FROM run_artifacts WHERE run_id = $1) AS kept_bytes
          FROM run_nodes WHERE run_id = $1 ORDER BY position, item_index NULLS FIRST`;
}

function toNodeState(row: NodeRow): NodeState {
  return {
    id: row.node_id,
    status: row.status,
    isQueued: row.is_queued,
    attempt: row.attempt,
    closedTo: row.closed_to,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    deadlineAt: row.deadline_at,
    failure: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  };
}
