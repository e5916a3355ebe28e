import type { Queryable, Tx } from '@tollgate/postgres';

/** Finds disabled or deleted webhooks that still have queues. */
export async function findClosedWithQueues(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'cancellation.find_closed',
    text: `SELECT w.id FROM webhooks w
           WHERE (NOT w.enabled OR w.deleted_at IS NOT NULL)
             AND EXISTS (SELECT 1 FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.leased_until IS NULL)
           LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => row.id);
}

/**
 * Fails the pending deliveries of up to `limit` queues of a closed webhook and deletes the queues. Returns how many it
 * deleted. Skips locked queues until the next pass: waiting for them out of order could deadlock.
 */
export async function cancelQueues(tx: Tx, webhookId: string, limit: number): Promise<number> {
  const { rows } = await tx.query<{ lane_key: string }>({
    name: 'cancellation.lock_queues',
    text: `SELECT l.lane_key FROM webhook_lanes l
           WHERE l.webhook_id = $1 AND l.leased_until IS NULL
             AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = $1 AND (NOT w.enabled OR w.deleted_at IS NOT NULL))
           LIMIT $2 FOR UPDATE OF l SKIP LOCKED`,
    values: [webhookId, limit],
  });
  if (rows.length === 0) return 0;
  // A separate statement, so that it sees deliveries that were queued just before the lock.
  await tx.query({
    name: 'cancellation.cancel',
    text: `WITH gone AS (
             DELETE FROM webhook_lanes WHERE webhook_id = $1 AND lane_key = ANY ($2::text[])
           )
           UPDATE webhook_deliveries
           SET status = 'failed', error = 'canceled: the webhook was disabled', updated_at = clock_timestamp()
           WHERE webhook_id = $1 AND lane_key = ANY ($2::text[]) AND status = 'pending'`,
    values: [webhookId, rows.map((row) => row.lane_key)],
  });
  return rows.length;
}
