import type { Queryable } from '@tollgate/postgres';
import type { WorkItem, WorkKind } from '../../domain/run/work-item.js';

interface WorkRow {
  work_id: bigint;
  lease_epoch: number;
  kind: WorkKind;
  project_id: string;
  run_id: string;
  node_id: string;
  plan_hash: string;
  retries: number;
  waits: number;
}

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
  const result = await db.query<WorkRow>({
    name: 'run_work.claim',
    text: CLAIM,
    values: [lease.owner, lease.leaseMs, claim.max, claim.from, PROJECTS_PER_CLAIM, HELD_COUNTED],
  });
  return result.rows.map(toWorkItem);
}

export interface Claim {
  max: number;
  /** Project id where the walk starts: a different one each time, so that no project is always first. */
  from: string;
}

const PROJECTS_PER_CLAIM = 32;
/** Counts at most this many leased rows per project; beyond that, projects are equal. */
const HELD_COUNTED = 1_000;

/** Returns the SQL for one step of the walk: the first project within the bounds that has due work. */
function nextProject(above: string, below = 'true'): string {
  return `SELECT project_id FROM run_work
          WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND ${above} AND ${below}
          ORDER BY project_id LIMIT 1`;
}

const CLAIM = `
  WITH RECURSIVE expired AS (
    SELECT work_id, 1 AS retry FROM run_work WHERE lease_until < now()
    ORDER BY lease_until LIMIT $3::int FOR UPDATE SKIP LOCKED
  ), alarms AS (
    SELECT work_id, 0 AS retry FROM run_work WHERE lease_until IS NULL AND kind <> 'node' AND run_at <= now()
    ORDER BY run_at, work_id LIMIT $3::int FOR UPDATE SKIP LOCKED
  ), walk AS (
    (SELECT project_id, 1 AS place FROM (${nextProject('project_id >= $4::uuid')}) AS first)
    UNION ALL
    SELECT next.project_id, walk.place + 1
    FROM walk, LATERAL (${nextProject('project_id > walk.project_id')}) AS next
    WHERE walk.place < $5::int
  ), wrapped AS (
    (SELECT project_id, (SELECT count(*)::int FROM walk) + 1 AS place
     FROM (${nextProject('true', 'project_id < $4::uuid')}) AS first)
    UNION ALL
    SELECT next.project_id, wrapped.place + 1
    FROM wrapped, LATERAL (${nextProject('project_id > wrapped.project_id', 'project_id < $4::uuid')}) AS next
    WHERE wrapped.place < $5::int
  ), ranked AS (
    SELECT due.work_id, due.run_at, held.count + due.rank AS turn
    FROM (SELECT project_id FROM walk UNION ALL SELECT project_id FROM wrapped) AS projects
    CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM run_work WHERE project_id = projects.project_id AND lease_until IS NOT NULL LIMIT $6) AS counted
    ) AS held
    CROSS JOIN LATERAL (
      SELECT work_id, run_at, row_number() OVER (ORDER BY run_at, work_id) AS rank FROM (
        SELECT work_id, run_at FROM run_work
        WHERE project_id = projects.project_id AND lease_until IS NULL AND kind = 'node' AND run_at <= now()
        ORDER BY run_at, work_id LIMIT 2 * $3::int) AS oldest
    ) AS due
    ORDER BY turn, run_at, work_id LIMIT 2 * $3::int
  ), ready AS (
    SELECT w.work_id, 0 AS retry FROM ranked JOIN run_work w USING (work_id)
    WHERE w.lease_until IS NULL ORDER BY ranked.turn, ranked.run_at, w.work_id LIMIT $3::int FOR UPDATE OF w SKIP LOCKED
  ), picked AS (
    SELECT * FROM expired UNION ALL SELECT * FROM alarms UNION ALL SELECT * FROM ready LIMIT $3::int
  )
  UPDATE run_work w
  SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
      retries = retries + picked.retry
  FROM picked WHERE w.work_id = picked.work_id
  RETURNING w.work_id, w.lease_epoch, w.kind, w.project_id, w.run_id, w.node_id, w.retries, w.waits,
            (SELECT plan_hash FROM runs WHERE runs.run_id = w.run_id) AS plan_hash`;

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
  const result = await db.query<{ work_id: bigint }>({
    name: 'run_work.heartbeat',
    text: `
      WITH held AS (
        SELECT * FROM unnest($3::bigint[], $4::int[]) AS h(work_id, epoch)
      ), free AS (
        SELECT w.work_id FROM run_work w JOIN held h USING (work_id)
        WHERE w.lease_epoch = h.epoch AND w.lease_owner = $1 FOR UPDATE OF w SKIP LOCKED
      ), extended AS (
        UPDATE run_work w SET lease_until = now() + $2 * interval '1 ms' FROM free WHERE w.work_id = free.work_id
      )
      SELECT w.work_id FROM run_work w JOIN held h USING (work_id)
      WHERE w.lease_epoch = h.epoch AND w.lease_owner = $1`,
    values: [lease.owner, lease.leaseMs, held.map((item) => item.workId), held.map((item) => item.epoch)],
  });
  return new Set(result.rows.map((row) => row.work_id));
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
  { delayMs, counts }: PutBack,
): Promise<boolean> {
  const result = await db.query({
    name: 'run_work.put_back',
    text: `
      UPDATE run_work
      SET lease_owner = NULL, lease_until = NULL, run_at = now() + $3 * interval '1 ms',
          retries = retries + $4, waits = waits + $5
      WHERE work_id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL`,
    values: [item.workId, item.epoch, delayMs, counts === 'retry' ? 1 : 0, counts === 'wait' ? 1 : 0],
  });
  return result.rowCount === 1;
}

/** Sets an alarm of a run or of one of its nodes. */
export async function insertAlarm(
  tx: Queryable,
  alarm: { projectId: string; runId: string; nodeId: string; kind: WorkKind; at: Date },
): Promise<void> {
  await tx.query({
    name: 'run_work.insert_alarm',
    text: 'INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES ($1, $2, $3, $4, $5)',
    values: [alarm.projectId, alarm.runId, alarm.nodeId, alarm.kind, alarm.at],
  });
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

export function toWorkItem(row: WorkRow): WorkItem {
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
