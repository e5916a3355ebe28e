import type { Queryable } from '@tollgate/postgres';

const COUNTED_MAX = 10_000;

/** Reads a bounded part of the index of ready work. */
export const DUE_WORK = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT run_at FROM run_work WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now()
        LIMIT ${COUNTED_MAX}) AS due`;

export async function readDueWork(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(DUE_WORK);
  return rows[0]!;
}
