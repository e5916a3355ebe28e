// Generated from batches/creation-keys.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface ClaimBatchKeyInput {
  projectId: string;
  scope: string;
  key: string;
  requestHash: string;
  id: string;
}

const CLAIM_BATCH_KEY = `
  INSERT INTO batch_keys AS k (project_id, scope, key, request_hash, batch_id)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (project_id, scope, key) DO UPDATE
  SET request_hash = excluded.request_hash, batch_id = excluded.batch_id, created_at = now()
  WHERE k.created_at < now() - interval '24 hours'`;

/** Claims a key, unless a request of the last day has it. */
export async function claimBatchKey(db: Queryable, input: ClaimBatchKeyInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'claim_batch_key',
    text: CLAIM_BATCH_KEY,
    values: [
      input.projectId,
      input.scope,
      input.key,
      input.requestHash,
      input.id,
    ],
  });
  return rowCount ?? 0;
}

export interface ClaimFileKeyInput {
  projectId: string;
  scope: string;
  key: string;
  requestHash: string;
  id: string;
}

const CLAIM_FILE_KEY = `
  INSERT INTO file_keys AS k (project_id, scope, key, request_hash, file_id)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (project_id, scope, key) DO UPDATE
  SET request_hash = excluded.request_hash, file_id = excluded.file_id, created_at = now()
  WHERE k.created_at < now() - interval '24 hours'`;

/** Claims a key, unless a request of the last day has it. */
export async function claimFileKey(db: Queryable, input: ClaimFileKeyInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'claim_file_key',
    text: CLAIM_FILE_KEY,
    values: [
      input.projectId,
      input.scope,
      input.key,
      input.requestHash,
      input.id,
    ],
  });
  return rowCount ?? 0;
}
