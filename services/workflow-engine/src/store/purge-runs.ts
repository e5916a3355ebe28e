import type { Queryable } from '@tollgate/postgres';
import { limits } from '../domain/limits.js';

/** Deletes runs that ended longer than `retentionMs` ago, with all their rows. Returns the number of runs. */
export async function purgeRuns(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  const result = await db.query({
    name: 'runs.purge',
    text: `
      WITH old AS (
        SELECT run_id FROM runs WHERE ended_at < now() - $1 * interval '1 ms' ORDER BY ended_at LIMIT $2
        FOR UPDATE SKIP LOCKED
      ), nodes AS (DELETE FROM run_nodes x USING old WHERE x.run_id = old.run_id),
      steps AS (DELETE FROM run_steps x USING old WHERE x.run_id = old.run_id),
      results AS (DELETE FROM run_tool_results x USING old WHERE x.run_id = old.run_id),
      artifacts AS (DELETE FROM run_artifacts x USING old WHERE x.run_id = old.run_id),
      events AS (DELETE FROM run_events x USING old WHERE x.run_id = old.run_id),
      costs AS (DELETE FROM run_unknown_costs x WHERE x.run_id = ANY (SELECT run_id FROM old)),
      messages AS (DELETE FROM run_session_messages x USING old WHERE x.run_id = old.run_id)
      DELETE FROM runs USING old WHERE runs.run_id = old.run_id`,
    values: [retentionMs, limit],
  });
  return result.rowCount ?? 0;
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
