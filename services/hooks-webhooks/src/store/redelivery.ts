import type { Queryable } from '@tollgate/postgres';
import { requeueDelivery } from './gen/redelivery.js';

/**
 * Queues a finished delivery again with a new series of attempts, in a separate queue so that it does not wait for
 * later events. Returns false when the delivery is not finished.
 */
export async function requeueFinished(db: Queryable, webhookId: string, deliveryId: string): Promise<boolean> {
  return (await requeueDelivery(db, { webhookId, deliveryId })) === 1;
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
