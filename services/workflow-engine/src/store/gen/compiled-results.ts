// Generated from compiled-results.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface KeepCompiledInput {
  key: string;
  projectId: string;
  result: string;
  now: Date;
}

export interface KeepCompiledRow {
  result: string;
}

const KEEP_COMPILED = `
  INSERT INTO compiled_sources (key, project_id, result, created_at, last_used_at) VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (key) DO UPDATE SET last_used_at = excluded.last_used_at
  RETURNING result`;

/** Stores a result unless another process was faster. Returns the stored result, so that all callers get the same. */
export async function keepCompiled(db: Queryable, input: KeepCompiledInput): Promise<KeepCompiledRow | undefined> {
  const { rows } = await db.query<KeepCompiledRow>({
    name: 'keep_compiled',
    text: KEEP_COMPILED,
    values: [
      input.key,
      input.projectId,
      input.result,
      input.now,
    ],
  });
  return rows[0];
}
