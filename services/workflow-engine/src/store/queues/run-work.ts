import type { Queryable } from '@tollgate/postgres';
import type { WorkItem, WorkKind } from '../../domain/run/work-item.js';
import * as sql from '../gen/queues/run-work.js';

export { insertAlarm } from '../gen/queues/run-work.js';

export interface Lease {
  owner: string;
  leaseMs: number;
}

/**
 * Claims up to `max` pieces of work: first those with an expired lease, then alarms, then due nodes, shared fairly
 * between projects. There is no leader and no separate recovery: any process takes over expired work when it has room.
 * Skips rows that others have locked.
 *
 * Fair share: the statement walks the queue's index from project to project, starting at `from`, and reads the oldest
 * rows of each. Projects with the fewest leased rows come first. A project with thousands of nodes gets the capacity
 * that the others leave, and each of them gets its turn at once. The number of rows read is bounded for any length of
 * the queue.
 */
export async function claimWork(db: Queryable, lease: Lease, claim: Claim): Promise<WorkItem[]> {
  return (await sql.claimWork(db, { ...lease, ...claim })).map(toWorkItem);
}

export interface Claim {
  max: number;
  /** Project id where the walk starts: a different one each time, so that no project is always first. */
  from: string;
}

/** Each part of the walk, before and after its turn, has so many projects at most. */
export const PROJECTS_PER_CLAIM = 32;

/**
 * Extends all held leases and returns the work that is still held. Missing work was taken over, or its run has ended.
 * The statement locks rows of many runs, so it never waits for a lock and cannot be part of a deadlock: a locked row
 * counts as held, and the next heartbeat extends it.
 */
export async function extendLeases(
  db: Queryable,
  lease: Lease,
  held: readonly { workId: bigint; epoch: number }[],
): Promise<Set<bigint>> {
  const [workIds, epochs] = [held.map(({ workId }) => workId), held.map(({ epoch }) => epoch)];
  const rows = await sql.extendWork(db, { ...lease, workIds, epochs });
  return new Set(rows.map((row) => row.work_id));
}

export interface PutBack {
  delayMs: number;
  /** `wait`: a peer was unavailable. `retry`: a failed try; their number is limited. */
  counts: 'retry' | 'wait' | 'nothing';
}

/** Releases one piece of work, which is due again after a delay. Returns false when the lease was lost. */
export async function putBackWork(
  db: Queryable,
  item: { workId: bigint; epoch: number },
  how: PutBack,
): Promise<boolean> {
  return (await sql.putBackWork(db, { ...item, ...how })) === 1;
}

export async function deleteAlarm(tx: Queryable, runId: string, nodeId: string, kind: WorkKind): Promise<void> {
  await tx.query({
    name: 'run_work.delete_alarm',
    text: 'DELETE FROM run_work WHERE run_id = $1 AND node_id = $2 AND kind = $3',
    values: [runId, nodeId, kind],
  });
}

/** Deletes one piece of work, in a transition that has checked its fence. */
export async function deleteWork(tx: Queryable, item: { workId: bigint }): Promise<void> {
  await tx.query({
    name: 'run_work.delete',
    text: 'DELETE FROM run_work WHERE work_id = $1',
    values: [item.workId],
  });
}

/** Deletes work and alarms of nodes that were canceled or start again. */
export async function deleteWorkOfNodes(tx: Queryable, runId: string, nodeIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'run_work.delete_nodes',
    text: 'DELETE FROM run_work WHERE run_id = $1 AND node_id = ANY($2::text[])',
    values: [runId, nodeIds],
  });
}

export function toWorkItem(row: sql.ClaimWorkRow): WorkItem {
  return {
    workId: row.work_id,
    epoch: row.lease_epoch,
    kind: row.kind,
    projectId: row.project_id,
    runId: row.run_id,
    nodeId: row.node_id,
    planHash: row.plan_hash,
    retries: row.retries,
    waits: row.waits,
  };
}

const DUE_COUNTED_MAX = 10_000;

/** Reads a bounded part of the index of ready work. */
export const DUE_WORK = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT run_at FROM run_work WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now()
        LIMIT ${DUE_COUNTED_MAX}) AS due`;

export async function readDueWork(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(DUE_WORK);
  return rows[0]!;
}
