import type { Queryable, Tx } from '@tollgate/postgres';
import * as sql from '../gen/runs/run-keys.js';

export interface RunKey {
  projectId: string;
  /** The customer's id, or `project`. */
  scope: string;
  key: string;
}

/** The run that was started with a key. */
export interface KeyHolder {
  runId: string;
  /** Null when the run has been deleted. */
  planHash: string | null;
  requestHash: string;
  /** Also of a run that has been deleted. */
  isEnded: boolean;
}

/**
 * Claims an idempotency key for a run, or returns the run that holds it. Of two concurrent requests, the second waits
 * for the first to commit and then finds its key. A key older than a day can be claimed again.
 */
export async function claimRunKey(
  tx: Tx,
  key: RunKey,
  requestHash: string,
  runId: string,
): Promise<KeyHolder | undefined> {
  if ((await sql.claimRunKey(tx, { ...key, requestHash, runId })) === 1) return undefined;
  const holder = await findKeyHolder(tx, key);
  if (!holder) throw new Error('an idempotency key was deleted while it was read');
  return holder;
}

/** Takes a key over from the run that holds it. Returns false if another run holds it by now. */
export async function takeRunKeyOver(
  tx: Tx,
  key: RunKey,
  change: { from: string; to: string; requestHash: string },
): Promise<boolean> {
  return (await sql.takeRunKeyOver(tx, { ...key, ...change })) === 1;
}

/** Finds the run that was started with the key within the last day. */
export async function findKeyHolder(db: Queryable, key: RunKey): Promise<KeyHolder | undefined> {
  const found = await db.query<{ run_id: string; plan_hash: string | null; request_hash: string; is_ended: boolean }>({
    name: 'run_keys.holder',
    text: `SELECT k.run_id, r.plan_hash, k.request_hash,
                  coalesce(r.status NOT IN ('running', 'waiting'), true) AS is_ended
           FROM run_keys k LEFT JOIN runs r USING (run_id)
           WHERE k.project_id = $1 AND k.scope = $2 AND k.key = $3 AND k.created_at >= now() - interval '24 hours'`,
    values: [key.projectId, key.scope, key.key],
  });
  const row = found.rows[0];
  if (!row) return undefined;
  return { runId: row.run_id, planHash: row.plan_hash, requestHash: row.request_hash, isEnded: row.is_ended };
}

/** Frees the key that a run was started with. */
export async function forgetRunKey(db: Queryable, runId: string): Promise<void> {
  await db.query({
    name: 'run_keys.forget',
    text: `DELETE FROM run_keys k USING runs r
           WHERE r.run_id = $1 AND k.project_id = r.project_id AND k.run_id = r.run_id
             AND k.scope = coalesce(r.customer_id::text, 'project')`,
    values: [runId],
  });
}

/** Deletes expired keys. Returns the number of keys. */
export async function purgeRunKeys(db: Queryable, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM run_keys WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM run_keys WHERE created_at < now() - interval '24 hours' LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}
