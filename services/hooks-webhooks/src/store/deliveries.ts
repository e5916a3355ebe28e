import type { Queryable } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { DeliveryStatus } from '../domain/webhooks/delivery.js';
import { type ListDeliveriesRow, listDeliveries, requeueDelivery } from './gen/deliveries.js';

interface DeliveryFilter {
  webhookId: string;
  eventType?: string | undefined;
  status?: DeliveryStatus | undefined;
}

/** How an attempt ended; undefined where the endpoint did not answer, or nothing failed. */
export interface AttemptResult {
  responseStatus: number | undefined;
  latencyMs: number | undefined;
  error: string | undefined;
}

interface AttemptRecord extends AttemptResult {
  round: number;
  attempt: number;
  outcome: string;
  startedAt: Date;
}

/** A delivery with its event and all its attempts. */
export interface DeliveryRecord extends AttemptResult {
  id: string;
  webhookId: string;
  eventId: string;
  event: { eventType: string; payload: Buffer };
  status: DeliveryStatus;
  round: number;
  attemptCount: number;
  attempts: AttemptRecord[];
  createdAt: Date;
  updatedAt: Date;
}

interface ResultColumns {
  response_status: number | null;
  latency_ms: number | null;
  error: string | null;
}

interface AttemptRow extends ResultColumns {
  delivery_id: string;
  round: number;
  attempt: number;
  outcome: string;
  started_at: Date;
}

const SELECT = `SELECT d.id, d.webhook_id, d.event_id, e.event_type, e.payload, d.status, d.round, d.attempt_count,
         d.response_status, d.latency_ms, d.error, d.created_at, d.updated_at
  FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id`;

/** Newest first. */
export async function selectDeliveries(
  db: Queryable,
  { webhookId, eventType, status }: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<DeliveryRecord[]> {
  const filter = { webhookId, status: status ?? null, eventType: eventType ?? null };
  return await withAttempts(db, await listDeliveries(db, { ...filter, ...page }));
}

export async function findDelivery(db: Queryable, webhookId: string, id: string): Promise<DeliveryRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await db.query<ListDeliveriesRow>(`${SELECT} WHERE d.id = $1 AND d.webhook_id = $2`, [
    id,
    webhookId,
  ]);
  const [delivery] = await withAttempts(db, rows);
  return delivery;
}

async function withAttempts(db: Queryable, deliveries: readonly ListDeliveriesRow[]): Promise<DeliveryRecord[]> {
  if (deliveries.length === 0) return [];
  const { rows } = await db.query<AttemptRow>(
    `SELECT delivery_id, round, attempt, outcome, response_status, latency_ms, error, started_at
     FROM webhook_attempts WHERE delivery_id = ANY ($1::uuid[]) ORDER BY delivery_id, round, attempt`,
    [deliveries.map(({ id }) => id)],
  );
  const byDelivery = new Map<string, AttemptRecord[]>(deliveries.map(({ id }) => [id, []]));
  for (const row of rows) byDelivery.get(row.delivery_id)?.push(toAttempt(row));
  return deliveries.map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    event: { eventType: row.event_type, payload: row.payload },
    status: row.status,
    round: row.round,
    attemptCount: row.attempt_count,
    ...toResult(row),
    attempts: byDelivery.get(row.id) ?? [],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

function toAttempt(row: AttemptRow): AttemptRecord {
  const { round, attempt, outcome, started_at: startedAt } = row;
  return { round, attempt, outcome, startedAt, ...toResult(row) };
}

function toResult(row: ResultColumns): AttemptResult {
  return {
    responseStatus: row.response_status ?? undefined,
    latencyMs: row.latency_ms ?? undefined,
    error: row.error ?? undefined,
  };
}

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
