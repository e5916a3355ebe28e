import type { Queryable, Tx } from '@tollgate/postgres';

export interface BatchKey {
  projectId: string;
  /** The customer's id, or `project`. */
  scope: string;
  key: string;
}

/**
 * Claims an idempotency key for a batch, or returns the batch that holds it. Of two concurrent requests, the second waits for the
 * first to commit. A key older than a day can be claimed again.
 */
export async function claimBatchKey(
  tx: Tx,
  { projectId, scope, key }: BatchKey,
  requestHash: string,
  batchId: string,
): Promise<{ batchId: string; requestHash: string } | undefined> {
  const taken = await tx.query({
    name: 'batch_keys.claim',
    text: `
      INSERT INTO batch_keys AS k (project_id, scope, key, request_hash, batch_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (project_id, scope, key) DO UPDATE
      SET request_hash = excluded.request_hash, batch_id = excluded.batch_id, created_at = now()
      WHERE k.created_at < now() - interval '24 hours'`,
    values: [projectId, scope, key, requestHash, batchId],
  });
  if (taken.rowCount === 1) return undefined;
  const found = await tx.query<{ batch_id: string; request_hash: string }>({
    name: 'batch_keys.holder',
    text: 'SELECT batch_id, request_hash FROM batch_keys WHERE project_id = $1 AND scope = $2 AND key = $3',
    values: [projectId, scope, key],
  });
  const row = found.rows[0];
  if (!row) throw new Error('an idempotency key was deleted while it was read');
  return { batchId: row.batch_id, requestHash: row.request_hash };
}

/** Deletes expired keys. Returns the number of keys. */
export async function purgeBatchKeys(db: Queryable, limit: number): Promise<number> {
  const result = await db.query({
    name: 'batch_keys.purge',
    text: `DELETE FROM batch_keys WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM batch_keys WHERE created_at < now() - interval '24 hours' LIMIT $1))`,
    values: [limit],
  });
  return result.rowCount ?? 0;
}
