import type { Queryable } from '@tollgate/postgres';
import type { WorkItem, WorkKind } from './work-item.js';

interface WorkRow {
  work_id: bigint;
  lease_epoch: number;
  kind: WorkKind;
  project_id: string;
  run_id: string;
  node_id: string;
  plan_hash: string;
  retries: number;
}

export interface Lease {
  owner: string;
  leaseMs: number;
}

/**
 * Takes up to `max` pieces of work: first a bounded number whose lease ran out (no leader, no named recovery: whoever
 * claims next takes over from the dead), then those that are due. Rows locked by others are passed over.
 */
export async function claimWork(db: Queryable, lease: Lease, max: number, expiredMax: number): Promise<WorkItem[]> {
  const result = await db.query<WorkRow>({
    name: 'run_work.claim',
    text: `
      WITH expired AS (
        SELECT work_id, 1 AS retry FROM run_work WHERE lease_until < now()
        ORDER BY lease_until LIMIT least($3::int, $4::int) FOR UPDATE SKIP LOCKED
      ), ready AS (
        SELECT work_id, 0 AS retry FROM run_work WHERE lease_until IS NULL AND run_at <= now()
        ORDER BY run_at, work_id LIMIT $3 FOR UPDATE SKIP LOCKED
      ), picked AS (
        SELECT * FROM expired UNION ALL SELECT * FROM ready LIMIT $3
      )
      UPDATE run_work w
      SET lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = now() + $2 * interval '1 ms',
          retries = retries + picked.retry
      FROM picked WHERE w.work_id = picked.work_id
      RETURNING w.work_id, w.lease_epoch, w.kind, w.project_id, w.run_id, w.node_id, w.retries,
                (SELECT plan_hash FROM runs WHERE runs.run_id = w.run_id) AS plan_hash`,
    values: [lease.owner, lease.leaseMs, max, expiredMax],
  });
  return result.rows.map(toWorkItem);
}

/**
 * Extends the leases of everything held and returns the work that is still ours. What is missing was taken over or its
 * run has ended. A row that another transaction has locked is not waited for: it counts as held and is extended by the
 * next heartbeat, so this statement, which locks rows of many runs, can never be part of a deadlock.
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

/** Gives one piece of work back, due again after a pause. False when it was ours no more. */
export async function putBackWork(
  db: Queryable,
  item: { workId: bigint; epoch: number },
  delayMs: number,
  countsAsRetry: boolean,
): Promise<boolean> {
  const result = await db.query({
    name: 'run_work.put_back',
    text: `
      UPDATE run_work
      SET lease_owner = NULL, lease_until = NULL, run_at = now() + $3 * interval '1 ms', retries = retries + $4
      WHERE work_id = $1 AND lease_epoch = $2 AND lease_owner IS NOT NULL`,
    values: [item.workId, item.epoch, delayMs, countsAsRetry ? 1 : 0],
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

/** Drops all work of an ended run; whoever holds some of it learns so from its next commit or heartbeat. */
export async function deleteWorkOfRun(tx: Queryable, runId: string): Promise<void> {
  await tx.query({
    name: 'run_work.delete_run',
    text: 'DELETE FROM run_work WHERE run_id = $1',
    values: [runId],
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
  };
}
