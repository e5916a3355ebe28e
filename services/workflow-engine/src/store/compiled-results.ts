import type { Pool } from './database.js';
import * as sql from './gen/compiled-results.js';

/** Finds the result of an earlier compilation, as the bytes that were returned. */
export async function findCompiled(pool: Pool, key: string, now: Date): Promise<string | undefined> {
  const { rows } = await pool.query<{ result: string }>(
    'UPDATE compiled_sources SET last_used_at = $2 WHERE key = $1 RETURNING result',
    [key, now],
  );
  return rows[0]?.result;
}

/** Stores a result unless another process was faster. Returns the stored result, so that all callers get the same. */
export async function keepCompiled(
  pool: Pool,
  compiled: { key: string; projectId: string; result: string; now: Date },
): Promise<string> {
  return (await sql.keepCompiled(pool, compiled))!.result;
}

/** Deletes up to `limit` results that were not used since `since`. Returns the number of results. */
export async function deleteUnusedCompiled(pool: Pool, since: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM compiled_sources WHERE key IN (
       SELECT key FROM compiled_sources WHERE last_used_at < $1 ORDER BY last_used_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [since, limit],
  );
  return rowCount ?? 0;
}
