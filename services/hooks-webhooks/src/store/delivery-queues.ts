import type { Queryable, Tx } from '@tollgate/postgres';
import type { EndpointDemand } from '../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery, Lease } from '../domain/webhooks/delivery.js';
import { retrySchedules } from '../domain/webhooks/retry-policy.js';
import { type ClaimRow, toClaimedDelivery } from './claim-row.js';

/** Sorts before every webhook id. */
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000';

/** Serializes claims, so that each sees all running attempts. Held for a few milliseconds. */
export async function lockClaiming(tx: Tx): Promise<void> {
  await tx.query({
    name: 'delivery_queues.lock_claiming',
    text: `SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext('webhook_lanes.claim'))`,
  });
}

export interface EndpointScan {
  demands: EndpointDemand[];
  /** Time until the first of their waiting queues is due. */
  nextDueInMs: number | undefined;
  /** No endpoint with queues follows. */
  isEnd: boolean;
}

/**
 * Returns the next `limit` endpoints with free queues after `after`, and their demand. A loose index scan: its cost
 * depends on the number of endpoints, not on the length of their queues.
 */
export async function scanEndpoints(tx: Tx, after: string, limit: number, endpointMax: number): Promise<EndpointScan> {
  const { rows } = await tx.query<EndpointDemand & { nextDueInMs: number | null }>({
    name: 'delivery_queues.scan_endpoints',
    text: scanSql,
    values: [after, limit, endpointMax],
  });
  const waits = rows.flatMap((row) => row.nextDueInMs ?? []);
  const nextDueInMs = waits.length > 0 ? Math.min(...waits) : undefined;
  return { demands: rows, nextDueInMs, isEnd: rows.length < limit };
}

const scanSql = `
  WITH RECURSIVE endpoint (webhook_id, place) AS (
    (SELECT webhook_id, 1 FROM webhook_lanes
     WHERE leased_until IS NULL AND webhook_id > $1 ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT next.webhook_id, e.place + 1
    FROM endpoint e
    CROSS JOIN LATERAL (
      SELECT l.webhook_id FROM webhook_lanes l
      WHERE l.leased_until IS NULL AND l.webhook_id > e.webhook_id ORDER BY l.webhook_id LIMIT 1
    ) next
    WHERE e.place < $2
  )
  SELECT e.webhook_id AS "webhookId",
         (SELECT count(*)::int FROM webhook_lanes l
          WHERE l.webhook_id = e.webhook_id AND l.leased_until IS NOT NULL) AS busy,
         (SELECT count(*)::int FROM (
            SELECT 1 FROM webhook_lanes l
            WHERE l.webhook_id = e.webhook_id AND l.leased_until IS NULL AND l.due_at <= now()
              AND w.id IS NOT NULL
            LIMIT $3) due) AS ready,
         (SELECT extract(epoch FROM min(l.due_at) - now())::float * 1000 FROM webhook_lanes l
          WHERE l.webhook_id = e.webhook_id AND l.leased_until IS NULL AND l.due_at > now()
            AND w.id IS NOT NULL) AS "nextDueInMs",
         coalesce(w.failed_attempts > 0, false) AS "isFailing"
  FROM endpoint e
  LEFT JOIN webhooks w ON w.id = e.webhook_id AND w.enabled AND w.deleted_at IS NULL
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
