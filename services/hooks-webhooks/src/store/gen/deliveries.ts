// Generated from deliveries.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { DeliveryStatus } from '../../domain/webhooks/delivery.js';

export interface ListDeliveriesInput {
  webhookId: string;
  status: string | null;
  eventType: string | null;
  limit: bigint | number;
  offset: bigint | number;
}

export interface ListDeliveriesRow {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  payload: Buffer;
  status: DeliveryStatus;
  round: number;
  attempt_count: number;
  response_status: number | null;
  latency_ms: number | null;
  error: string | null;
  created_at: Date;
  updated_at: Date;
}

const LIST_DELIVERIES = `
  SELECT d.id, d.webhook_id, d.event_id, e.event_type, e.payload, d.status, d.round, d.attempt_count, d.response_status, d.latency_ms,
    d.error, d.created_at, d.updated_at
  FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
  WHERE d.webhook_id = $1 AND ($2::text IS NULL OR d.status = $2)
    AND ($3::text IS NULL OR e.event_type = $3)
  ORDER BY d.seq DESC
  LIMIT $4 OFFSET $5`;

/**
 * Newest first.
 * Is planned at each call: the plan depends on the filters
 */
export async function listDeliveries(db: Queryable, input: ListDeliveriesInput): Promise<ListDeliveriesRow[]> {
  const { rows } = await db.query<ListDeliveriesRow>({
    text: LIST_DELIVERIES,
    values: [
      input.webhookId,
      input.status,
      input.eventType,
      input.limit,
      input.offset,
    ],
  });
  return rows;
}

export interface InsertTestDeliveryInput {
  eventId: string;
  projectId: string;
  eventType: string;
  payload: Uint8Array;
  occurredAt: Date;
  deliveryId: string;
  webhookId: string;
  outcome: string;
  responseStatus: number | null;
  latencyMs: number;
  error: string | null;
}

const INSERT_TEST_DELIVERY = `
  WITH event AS (
    INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at)
    VALUES ($1, $2, $3, $4, $5)
  ),
  delivery AS (
    INSERT INTO webhook_deliveries
      (id, webhook_id, event_id, lane_key, status, attempt_count, response_status, latency_ms, error, is_test)
    VALUES ($6::uuid, $7, $1, $6::uuid::text, $8, 1, $9, $10,
            $11, true)
  )
  INSERT INTO webhook_attempts (delivery_id, round, attempt, outcome, response_status, latency_ms, error, started_at)
  VALUES ($6::uuid, 0, 1, $8, $9, $10, $11, $5)`;

/** Writes a finished test delivery to the log; it never enters a queue. */
export async function insertTestDelivery(db: Queryable, input: InsertTestDeliveryInput): Promise<void> {
  await db.query({
    name: 'insert_test_delivery',
    text: INSERT_TEST_DELIVERY,
    values: [
      input.eventId,
      input.projectId,
      input.eventType,
      input.payload,
      input.occurredAt,
      input.deliveryId,
      input.webhookId,
      input.outcome,
      input.responseStatus,
      input.latencyMs,
      input.error,
    ],
  });
}

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
