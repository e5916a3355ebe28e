// Generated from runs/run-keys.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface ClaimRunKeyInput {
  projectId: string;
  scope: string;
  key: string;
  requestHash: string;
  runId: string;
}

const CLAIM_RUN_KEY = `
  INSERT INTO run_keys AS k (project_id, scope, key, request_hash, run_id)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (project_id, scope, key) DO UPDATE
  SET request_hash = excluded.request_hash, run_id = excluded.run_id, created_at = now()
  WHERE k.created_at < now() - interval '24 hours'`;

/** Claims a key, unless a run of the last day has it. */
export async function claimRunKey(db: Queryable, input: ClaimRunKeyInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'claim_run_key',
    text: CLAIM_RUN_KEY,
    values: [
      input.projectId,
      input.scope,
      input.key,
      input.requestHash,
      input.runId,
    ],
  });
  return rowCount ?? 0;
}

export interface TakeRunKeyOverInput {
  requestHash: string;
  to: string;
  projectId: string;
  scope: string;
  key: string;
  from: string;
}

const TAKE_RUN_KEY_OVER = `
  UPDATE run_keys
  SET request_hash = $1, run_id = $2, created_at = now()
  WHERE project_id = $3 AND scope = $4 AND key = $5 AND run_id = $6`;

/** Takes a key over from the run that holds it. */
export async function takeRunKeyOver(db: Queryable, input: TakeRunKeyOverInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'take_run_key_over',
    text: TAKE_RUN_KEY_OVER,
    values: [
      input.requestHash,
      input.to,
      input.projectId,
      input.scope,
      input.key,
      input.from,
    ],
  });
  return rowCount ?? 0;
}
