import type { Queryable, Tx } from '@tollgate/postgres';

export interface RunKey {
  projectId: string;
  /** The customer's id, or `project`. */
  scope: string;
  key: string;
}

export type KeyClaim = { fresh: true } | { fresh: false; runId: string; requestHash: string };

/**
 * Takes an idempotency key for a run, or tells who has it. Two requests at once: the second waits for the first's
 * commit and then finds its key. A key older than a day is free again.
 */
export async function claimRunKey(tx: Tx, key: RunKey, requestHash: string, runId: string): Promise<KeyClaim> {
  const taken = await tx.query({
    name: 'run_keys.claim',
    text: `
      INSERT INTO run_keys AS k (project_id, scope, key, request_hash, run_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (project_id, scope, key) DO UPDATE
      SET request_hash = excluded.request_hash, run_id = excluded.run_id, created_at = now()
      WHERE k.created_at < now() - interval '24 hours'`,
    values: [key.projectId, key.scope, key.key, requestHash, runId],
  });
  if (taken.rowCount === 1) return { fresh: true };
  const holder = await tx.query<{ run_id: string; request_hash: string }>({
    name: 'run_keys.holder',
    text: 'SELECT run_id, request_hash FROM run_keys WHERE project_id = $1 AND scope = $2 AND key = $3',
    values: [key.projectId, key.scope, key.key],
  });
  const row = holder.rows[0];
  if (!row) throw new Error('an idempotency key vanished while it was read');
  return { fresh: false, runId: row.run_id, requestHash: row.request_hash };
}

/** Frees the key that has started a run. */
export async function forgetRunKey(db: Queryable, runId: string): Promise<void> {
  await db.query({
    name: 'run_keys.forget',
    text: `DELETE FROM run_keys k USING runs r
           WHERE r.run_id = $1 AND k.project_id = r.project_id AND k.run_id = r.run_id
             AND k.scope = coalesce(r.customer_id::text, 'project')`,
    values: [runId],
  });
}

/** Removes keys that count no more; returns how many. */
export async function purgeRunKeys(db: Queryable, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM run_keys WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM run_keys WHERE created_at < now() - interval '24 hours' LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}
