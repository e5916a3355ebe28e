import type { Queryable } from '@tollgate/postgres';

const COUNTED_MAX = 10_000;

/** Reads a bounded part of the partial index of pending deliveries; the log of finished ones keeps growing. */
export const PENDING_DELIVERIES = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT created_at FROM webhook_deliveries WHERE status = 'pending' LIMIT ${COUNTED_MAX}) AS waiting`;

export async function readPendingDeliveries(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(PENDING_DELIVERIES);
  return rows[0]!;
}
