import type { Queryable } from '@tollgate/postgres';

/**
 * Finished deliveries older than `days`, with their attempts; at most `limit`, returns how many. The status is looked at
 * again when a row is deleted: one that is queued again meanwhile must not leave its lane without a head.
 */
export async function deleteOldDeliveries(db: Queryable, days: number, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM webhook_deliveries WHERE status IN ('delivered', 'failed') AND id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries
       WHERE status IN ('delivered', 'failed') AND created_at < now() - $1::int * interval '1 day' LIMIT $2))`,
    [days, limit],
  );
  return result.rowCount ?? 0;
}

/** Deliveries of deleted webhooks: nobody can read them any more. */
export async function deleteOrphanedDeliveries(db: Queryable, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
       SELECT d.id FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
       WHERE w.deleted_at IS NOT NULL AND d.status IN ('delivered', 'failed') LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}

/** Events older than `days` that no delivery needs; at most `limit`, returns how many. */
export async function deleteOldEvents(db: Queryable, days: number, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM webhook_events WHERE id = ANY (ARRAY(
       SELECT e.id FROM webhook_events e
       WHERE e.created_at < now() - $1::int * interval '1 day'
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id)
       ORDER BY e.created_at LIMIT $2))`,
    [days, limit],
  );
  return result.rowCount ?? 0;
}

/** Deleted webhooks without deliveries. */
export async function deleteGoneWebhooks(db: Queryable, limit: number): Promise<number> {
  const result = await db.query(
    `DELETE FROM webhooks WHERE id = ANY (ARRAY(
       SELECT w.id FROM webhooks w
       WHERE w.deleted_at < now() - interval '1 hour'
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id)
         AND NOT EXISTS (SELECT 1 FROM webhook_lanes l WHERE l.webhook_id = w.id)
       LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}
