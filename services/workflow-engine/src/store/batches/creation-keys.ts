import type { Queryable, Tx } from '@tollgate/postgres';
import { claimBatchKey, claimFileKey } from '../gen/batches/creation-keys.js';

/** An idempotency key, which names one batch or one file of its caller. */
export interface CreationKey {
  kind: 'batch' | 'file';
  projectId: string;
  /** The customer's id, or `project`. */
  scope: string;
  key: string;
}

/**
 * Claims an idempotency key, or returns what holds it. Of two concurrent requests, the second waits for the first to commit. A key
 * older than a day can be claimed again.
 */
export async function claimCreationKey(
  tx: Tx,
  { kind, projectId, scope, key }: CreationKey,
  requestHash: string,
  id: string,
): Promise<{ id: string; requestHash: string } | undefined> {
  const claim = kind === 'batch' ? claimBatchKey : claimFileKey;
  if ((await claim(tx, { projectId, scope, key, requestHash, id })) === 1) return undefined;
  const found = await tx.query<{ id: string; request_hash: string }>({
    name: `${kind}_keys.holder`,
    text: `SELECT ${kind}_id AS id, request_hash FROM ${kind}_keys WHERE project_id = $1 AND scope = $2 AND key = $3`,
    values: [projectId, scope, key],
  });
  const row = found.rows[0];
  if (!row) throw new Error('an idempotency key was deleted while it was read');
  return { id: row.id, requestHash: row.request_hash };
}

/** Deletes expired keys. Returns the number of keys. */
export async function purgeCreationKeys(db: Queryable, kind: CreationKey['kind'], limit: number): Promise<number> {
  const result = await db.query({
    name: `${kind}_keys.purge`,
    text: `DELETE FROM ${kind}_keys WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM ${kind}_keys WHERE created_at < now() - interval '24 hours' LIMIT $1))`,
    values: [limit],
  });
  return result.rowCount ?? 0;
}
