// Generated from queues/run-work.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';
import type { WorkKind } from '../../../domain/run/work-item.js';

export interface ClaimWorkInput {
  max: number;
  from: string;
  owner: string;
  leaseMs: number;
}

export interface ClaimWorkRow {
  work_id: bigint;
  lease_epoch: number;
  kind: WorkKind;
  project_id: string;
  run_id: string;
  node_id: string;
  retries: number;
  waits: number;
  plan_hash: string;
}

const CLAIM_WORK = `
  WITH RECURSIVE expired AS (
    SELECT work_id, 1 AS retry FROM run_work WHERE lease_until < now()
    ORDER BY lease_until LIMIT $1::int FOR UPDATE SKIP LOCKED
  ),
  alarms AS (
    SELECT work_id, 0 AS retry FROM run_work WHERE lease_until IS NULL AND kind <> 'node' AND run_at <= now()
    ORDER BY run_at, work_id LIMIT $1::int FOR UPDATE SKIP LOCKED
  ),
  walk AS (
    (SELECT project_id, 1 AS place FROM (
      SELECT project_id FROM run_work
      WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id >= $2::uuid
      ORDER BY project_id LIMIT 1) AS first)
    UNION ALL
    SELECT next.project_id, walk.place + 1
    FROM walk, LATERAL (
      SELECT project_id FROM run_work
      WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id > walk.project_id
      ORDER BY project_id LIMIT 1) AS next
    WHERE walk.place < 32
  ),
  wrapped AS (
    (SELECT project_id, (SELECT count(*)::int FROM walk) + 1 AS place FROM (
      SELECT project_id FROM run_work
      WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id < $2::uuid
      ORDER BY project_id LIMIT 1) AS first)
    UNION ALL
    SELECT next.project_id, wrapped.place + 1
    FROM wrapped, LATERAL (
      SELECT project_id FROM run_work
      WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id > wrapped.project_id AND project_id < $2::uuid
      ORDER BY project_id LIMIT 1) AS next
    WHERE wrapped.place < 32
  ),
  ranked AS (
    SELECT due.work_id, due.run_at, held.count + due.rank AS turn
    FROM (SELECT project_id FROM walk UNION ALL SELECT project_id FROM wrapped) AS projects
    CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM run_work WHERE project_id = projects.project_id AND lease_until IS NOT NULL LIMIT 1000) AS counted) AS held
    CROSS JOIN LATERAL (
      SELECT work_id, run_at, row_number() OVER (ORDER BY run_at, work_id) AS rank
      FROM (
        SELECT work_id, run_at FROM run_work
        WHERE project_id = projects.project_id AND lease_until IS NULL AND kind = 'node' AND run_at <= now()
        ORDER BY run_at, work_id LIMIT 2 * $1::int) AS oldest) AS due
    ORDER BY turn, run_at, work_id LIMIT 2 * $1::int
  ),
  ready AS (
    SELECT w.work_id, 0 AS retry FROM ranked JOIN run_work w USING (work_id)
    WHERE w.lease_until IS NULL ORDER BY ranked.turn, ranked.run_at, w.work_id LIMIT $1::int FOR UPDATE OF w SKIP LOCKED
  ),
  picked AS (
    SELECT * FROM expired UNION ALL SELECT * FROM alarms UNION ALL SELECT * FROM ready LIMIT $1::int
  )
  UPDATE run_work w
  SET lease_owner = $3, lease_epoch = lease_epoch + 1, lease_until = now() + $4 * interval '1 ms',
    retries = retries + picked.retry
  FROM picked
  WHERE w.work_id = picked.work_id
  RETURNING w.work_id, w.lease_epoch, w.kind, w.project_id, w.run_id, w.node_id, w.retries, w.waits,
    (SELECT plan_hash FROM runs WHERE runs.run_id = w.run_id) AS "plan_hash"`;

/**
 * Leases pieces of work: first those with an expired lease, then alarms, then due nodes. Walks the index of due nodes from project
 * to project, from `from` to the last one and from the first one to `from`, and reads the oldest rows of each.
 */
export async function claimWork(db: Queryable, input: ClaimWorkInput): Promise<ClaimWorkRow[]> {
  const { rows } = await db.query<ClaimWorkRow>({
    name: 'claim_work',
    text: CLAIM_WORK,
    values: [
      input.max,
      input.from,
      input.owner,
      input.leaseMs,
    ],
  });
  return rows;
}

export interface ExtendWorkInput {
  workIds: readonly (bigint | number)[];
  epochs: readonly number[];
  owner: string;
  leaseMs: number;
}

export interface ExtendWorkRow {
  work_id: bigint;
}

const EXTEND_WORK = `
  WITH held AS (
    SELECT * FROM unnest($1::bigint[], $2::int[]) AS h (work_id, epoch)
  ),
  free AS (
    SELECT w.work_id
    FROM run_work w JOIN held h USING (work_id)
    WHERE w.lease_epoch = h.epoch AND w.lease_owner = $3
    FOR UPDATE OF w SKIP LOCKED
  ),
  extended AS (
    UPDATE run_work w SET lease_until = now() + $4 * interval '1 ms' FROM free WHERE w.work_id = free.work_id
  )
  SELECT w.work_id FROM run_work w JOIN held h USING (work_id) WHERE w.lease_epoch = h.epoch AND w.lease_owner = $3`;

/** Extends leases and returns the work that is still held. Waits for no lock: a locked row counts as held. */
export async function extendWork(db: Queryable, input: ExtendWorkInput): Promise<ExtendWorkRow[]> {
  const { rows } = await db.query<ExtendWorkRow>({
    name: 'extend_work',
    text: EXTEND_WORK,
    values: [
      arrayLiteral(input.workIds),
      arrayLiteral(input.epochs),
      input.owner,
      input.leaseMs,
    ],
  });
  return rows;
}

export interface PutBackWorkInput {
  delayMs: number;
  counts: string;
  workId: bigint | number;
  epoch: number;
}

const PUT_BACK_WORK = `
  UPDATE run_work
  SET lease_owner = NULL, lease_until = NULL, run_at = now() + $1 * interval '1 ms',
    retries = retries + ($2 = 'retry')::int, waits = waits + ($2 = 'wait')::int
  WHERE work_id = $3 AND lease_epoch = $4 AND lease_owner IS NOT NULL`;

/** Releases one piece of work, which is due again after a delay. */
export async function putBackWork(db: Queryable, input: PutBackWorkInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'put_back_work',
    text: PUT_BACK_WORK,
    values: [
      input.delayMs,
      input.counts,
      input.workId,
      input.epoch,
    ],
  });
  return rowCount ?? 0;
}

export interface InsertAlarmInput {
  projectId: string;
  runId: string;
  nodeId: string;
  kind: string;
  at: Date;
}

const INSERT_ALARM = `
  INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES ($1, $2, $3, $4, $5)`;

/** Sets an alarm of a run or of one of its nodes. */
export async function insertAlarm(db: Queryable, input: InsertAlarmInput): Promise<void> {
  await db.query({
    name: 'insert_alarm',
    text: INSERT_ALARM,
    values: [
      input.projectId,
      input.runId,
      input.nodeId,
      input.kind,
      input.at,
    ],
  });
}
