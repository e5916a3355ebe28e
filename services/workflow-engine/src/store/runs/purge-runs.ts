import type { Queryable } from '@tollgate/postgres';
import { limits } from '../../domain/limits.js';
import * as sql from '../gen/runs/purge-runs.js';

/** Deletes runs that ended longer than `retentionMs` ago, with all their rows. Returns the number of runs. */
export async function purgeRuns(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  return sql.purgeRuns(db, { retentionMs, limit });
}

/** Deletes plans that no active run can use any more. Returns the number of plans. */
export async function purgePlans(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  const result = await db.query({
    name: 'plans.purge',
    text: `
      WITH old AS (
        SELECT project_id, plan_hash FROM plans WHERE last_used_at < now() - $1 * interval '1 ms'
        ORDER BY last_used_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      DELETE FROM plans p USING old WHERE p.project_id = old.project_id AND p.plan_hash = old.plan_hash`,
    // `last_used_at` is up to a day older than the last use, and a run may last up to the time limit of runs.
    values: [retentionMs + limits.runTimeoutMs + DAY_MS, limit],
  });
  return result.rowCount ?? 0;
}

const DAY_MS = 24 * 60 * 60_000;
