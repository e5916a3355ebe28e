import type { Queryable } from '@tollgate/postgres';

/** The key of a queue for one delivery. Begins with the former key, which is the customer's id if the event has a customer. */
export const toOwnQueue = (delivery: string): string =>
  `split_part(${delivery}.lane_key, ' ', 1) || ' ' || ${delivery}.id::text`;

/**
 * Queues a finished delivery again with a new series of attempts, in a separate queue so that it does not wait for
 * later events. Returns false when the delivery is not finished.
 */
export async function requeueFinished(db: Queryable, webhookId: string, deliveryId: string): Promise<boolean> {
  const result = await db.query(
    `WITH delivery AS (
       UPDATE webhook_deliveries
       SET status = 'pending', round = round + 1, attempt_count = 0, lane_key = ${toOwnQueue('webhook_deliveries')},
           response_status = NULL, latency_ms = NULL, error = NULL, updated_at = clock_timestamp()
       WHERE id = $1 AND webhook_id = $2 AND status IN ('delivered', 'failed') RETURNING id, lane_key
     )
     INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at)
     SELECT $2, lane_key, id, now() FROM delivery`,
    [deliveryId, webhookId],
  );
  return result.rowCount === 1;
}

/** Makes a waiting delivery due now if it is the head of its queue. */
export async function hurryPending(db: Queryable, webhookId: string, deliveryId: string): Promise<void> {
  await db.query(
    `UPDATE webhook_lanes SET due_at = now()
     WHERE webhook_id = $2 AND delivery_id = $1 AND leased_until IS NULL AND due_at > now()
       AND lane_key = (SELECT lane_key FROM webhook_deliveries WHERE id = $1)`,
    [deliveryId, webhookId],
  );
}
