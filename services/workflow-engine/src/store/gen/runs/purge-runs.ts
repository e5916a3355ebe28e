// Generated from runs/purge-runs.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface PurgeRunsInput {
  retentionMs: number;
  limit: bigint | number;
}

const PURGE_RUNS = `
  WITH old AS (
    SELECT run_id FROM runs WHERE ended_at < now() - $1 * interval '1 ms' ORDER BY ended_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  ),
  nodes AS (DELETE FROM run_nodes x USING old WHERE x.run_id = old.run_id),
  steps AS (DELETE FROM run_steps x USING old WHERE x.run_id = old.run_id),
  results AS (DELETE FROM run_tool_results x USING old WHERE x.run_id = old.run_id),
  artifacts AS (DELETE FROM run_artifacts x USING old WHERE x.run_id = old.run_id),
  events AS (DELETE FROM run_events x USING old WHERE x.run_id = old.run_id),
  costs AS (DELETE FROM run_unknown_costs x WHERE x.run_id = ANY (SELECT run_id FROM old)),
  messages AS (DELETE FROM run_session_messages x USING old WHERE x.run_id = old.run_id)
  DELETE FROM runs USING old WHERE runs.run_id = old.run_id`;

/** Deletes runs that ended long ago, with all their rows. */
export async function purgeRuns(db: Queryable, input: PurgeRunsInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'purge_runs',
    text: PURGE_RUNS,
    values: [
      input.retentionMs,
      input.limit,
    ],
  });
  return rowCount ?? 0;
}
