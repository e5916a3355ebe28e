import type { Queryable } from '@tollgate/postgres';

const COUNTED_MAX = 10_000;

/** Reads a bounded part of the index of lanes that no worker has. The head of a lane that waits for its retry is not due. */
export const DUE_DELIVERIES = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(due_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT due_at FROM webhook_lanes WHERE leased_until IS NULL AND due_at <= now() LIMIT ${COUNTED_MAX}) AS due`;

export async function readDueDeliveries(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(DUE_DELIVERIES);
  return rows[0]!;
}
