import { KeyWalk, type Queryable, type Tx, type Visit } from '@tollgate/postgres';
import type { EndpointDemand, FreeSlots } from '../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery, Lease } from '../domain/webhooks/delivery.js';
import { retrySchedules } from '../domain/webhooks/retry-policy.js';
import { type ClaimRow, toClaimedDelivery } from './claim-row.js';

/** Endpoints that one claim visits at most. */
const ENDPOINTS_VISITED_MAX = 256;

/** The endpoints with due queues and free places: `$3` for a healthy one, 1 for a failing one, which is not visited if `$4` is false. */
const ENDPOINTS = new KeyWalk({
  name: 'delivery_queues.visit',
  table: 'webhook_lanes',
  key: 'webhook_id',
  where: 'leased_until IS NULL',
  columns: ['due_at'],
  dueAt: 'due_at',
  isOpen: `next.due_at <= now() AND EXISTS (
    SELECT FROM webhooks w
    WHERE w.id = next.webhook_id AND w.enabled AND w.deleted_at IS NULL AND ($4::boolean OR w.failed_attempts = 0)
      AND (SELECT count(*) FROM (
             SELECT FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.leased_until IS NOT NULL LIMIT $3) AS busy)
          < CASE WHEN w.failed_attempts > 0 THEN 1 ELSE $3::int END)`,
  lockClass: 7_223_063,
  visitedMax: ENDPOINTS_VISITED_MAX,
});

/**
 * Locks the next endpoints after `after` that have due queues, at most as many as there are free slots. Until the transaction ends, no other
 * claim starts attempts at them. The cost does not depend on the length of queues.
 */
export function lockEndpoints(tx: Tx, after: string, free: FreeSlots, endpointMax: number): Promise<Visit> {
  return ENDPOINTS.visit(tx, after, free.total, endpointMax, free.failing > 0);
}

/** Returns the demand of locked endpoints, and the time until the first of their waiting queues is due. */
export async function readDemands(
  tx: Tx,
  webhookIds: readonly string[],
  endpointMax: number,
): Promise<{ demands: EndpointDemand[]; nextDueInMs: number | undefined }> {
  const { rows } = await tx.query<EndpointDemand & { nextDueInMs: number | null }>({
    name: 'delivery_queues.read_demands',
    text: demandSql,
    values: [webhookIds, endpointMax],
  });
  const waits = rows.flatMap((row) => row.nextDueInMs ?? []);
  return { demands: rows, nextDueInMs: waits.length > 0 ? Math.min(...waits) : undefined };
}

const demandSql = `
  SELECT w.id AS "webhookId", w.failed_attempts > 0 AS "isFailing",
         (SELECT count(*)::int FROM (
            SELECT FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.leased_until IS NOT NULL LIMIT $2) busy) AS busy,
         (SELECT count(*)::int FROM (
            SELECT FROM webhook_lanes l
            WHERE l.webhook_id = w.id AND l.leased_until IS NULL AND l.due_at <= now() LIMIT $2) due) AS ready,
         (SELECT extract(epoch FROM l.due_at - now())::float * 1000 FROM webhook_lanes l
          WHERE l.webhook_id = w.id AND l.leased_until IS NULL AND l.due_at > now()
          ORDER BY l.due_at LIMIT 1) AS "nextDueInMs"
  FROM unnest($1::uuid[]) WITH ORDINALITY AS e (webhook_id, place)
  JOIN webhooks w ON w.id = e.webhook_id AND w.enabled AND w.deleted_at IS NULL
  ORDER BY e.place`;

/** Leases up to `quota` due queues of each endpoint and counts an attempt for their heads, in one statement. */
export async function leaseHeads(
  tx: Tx,
  quotas: ReadonlyMap<string, number>,
  leaseMarginMs: number,
): Promise<ClaimedDelivery[]> {
  const { rows } = await tx.query<ClaimRow>({
    name: 'delivery_queues.lease_heads',
    text: leaseSql,
    values: [
      [...quotas.keys()],
      [...quotas.values()],
      retrySchedules.fast.timeoutMs + leaseMarginMs,
      retrySchedules.standard.timeoutMs + leaseMarginMs,
    ],
  });
  return rows.map(toClaimedDelivery);
}

const leaseSql = `
  WITH picked AS (
    SELECT l.webhook_id, l.lane_key
    FROM unnest($1::uuid[], $2::int[]) AS q (webhook_id, quota)
    CROSS JOIN LATERAL (
      SELECT webhook_id, lane_key FROM webhook_lanes
      WHERE webhook_id = q.webhook_id AND leased_until IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT q.quota FOR UPDATE SKIP LOCKED
    ) l
  ), leased AS (
    UPDATE webhook_lanes l
    SET epoch = l.epoch + 1,
        leased_until = clock_timestamp()
          + CASE w.retry_schedule WHEN 'fast' THEN $3::int ELSE $4::int END * interval '1 ms'
    FROM picked p JOIN webhooks w ON w.id = p.webhook_id
    WHERE l.webhook_id = p.webhook_id AND l.lane_key = p.lane_key
    RETURNING l.webhook_id, l.lane_key, l.delivery_id, l.epoch
  ), started AS (
    UPDATE webhook_deliveries d
    SET status = 'processing', attempt_count = d.attempt_count + 1, updated_at = clock_timestamp()
    FROM leased l WHERE d.id = l.delivery_id
    RETURNING d.id, d.webhook_id, d.event_id, d.round, d.attempt_count, d.created_at, l.lane_key, l.epoch
  )
  SELECT s.id AS delivery_id, s.lane_key, s.epoch, s.round, s.attempt_count, s.created_at,
         s.event_id, e.event_type, e.payload, e.traceparent,
         w.id AS webhook_id, w.project_id, w.endpoint_url, w.signature_form, w.retry_schedule,
         w.secret_key_id, w.secret_sealed, w.previous_secret_key_id, w.previous_secret_sealed, w.previous_secret_until,
         w.failed_attempts
  FROM started s
  JOIN webhook_events e ON e.id = s.event_id
  JOIN webhooks w ON w.id = s.webhook_id`;

/** Finds leases that expired without a report because their worker crashed, with the start of their attempts. */
export async function findExpiredLeases(db: Queryable, limit: number): Promise<{ lease: Lease; startedAt: Date }[]> {
  const { rows } = await db.query<ExpiredRow>({
    name: 'delivery_queues.find_expired',
    text: `SELECT l.webhook_id, l.lane_key, l.epoch, d.id AS delivery_id, d.round, d.attempt_count, d.updated_at
           FROM webhook_lanes l JOIN webhook_deliveries d ON d.id = l.delivery_id
           WHERE l.leased_until IS NOT NULL AND l.leased_until < clock_timestamp()
           LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => ({
    lease: {
      webhookId: row.webhook_id,
      orderingKey: row.lane_key,
      epoch: row.epoch,
      deliveryId: row.delivery_id,
      round: row.round,
      attempt: row.attempt_count,
    },
    startedAt: row.updated_at,
  }));
}

/** Extends leases that have expired, so that they are found again later. */
export async function postponeExpiry(db: Queryable, leases: readonly Lease[], delayMs: number): Promise<void> {
  await db.query({
    name: 'delivery_queues.postpone_expiry',
    text: `UPDATE webhook_lanes l SET leased_until = clock_timestamp() + $4 * interval '1 ms'
           FROM unnest($1::uuid[], $2::text[], $3::int[]) AS r (webhook_id, lane_key, epoch)
           WHERE l.webhook_id = r.webhook_id AND l.lane_key = r.lane_key AND l.epoch = r.epoch AND l.leased_until IS NOT NULL`,
    values: [
      leases.map(({ webhookId }) => webhookId),
      leases.map(({ orderingKey }) => orderingKey),
      leases.map(({ epoch }) => epoch),
      delayMs,
    ],
  });
}

interface ExpiredRow {
  webhook_id: string;
  lane_key: string;
  epoch: number;
  delivery_id: string;
  round: number;
  attempt_count: number;
  updated_at: Date;
}
