// Generated from redelivery.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface RequeueDeliveryInput {
  deliveryId: string;
  webhookId: string;
}

const REQUEUE_DELIVERY = `
  WITH delivery AS (
    UPDATE webhook_deliveries
    SET status = 'pending', round = round + 1, attempt_count = 0, response_status = NULL, latency_ms = NULL, error = NULL,
      updated_at = clock_timestamp(), lane_key = split_part(lane_key, ' ', 1) || ' ' || id::text
    WHERE id = $1 AND webhook_id = $2 AND status IN ('delivered', 'failed')
    RETURNING id, lane_key
  )
  INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT $2, lane_key, id, now() FROM delivery`;

/**
 * Queues a finished delivery again with five new attempts, in a queue of its own. Its key begins with the former key, which is the
 * customer's id if the event has a customer.
 */
export async function requeueDelivery(db: Queryable, input: RequeueDeliveryInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'requeue_delivery',
    text: REQUEUE_DELIVERY,
    values: [
      input.deliveryId,
      input.webhookId,
    ],
  });
  return rowCount ?? 0;
}
