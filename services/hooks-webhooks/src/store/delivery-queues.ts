import { KeyWalk, type Queryable, type Tx, type Visit } from '@tollgate/postgres';
import type { EndpointDemand, FreeSlots } from '../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery, Lease } from '../domain/webhooks/delivery.js';
import { retrySchedules } from '../domain/webhooks/retry-policy.js';
import { toClaimedDelivery } from './claim-row.js';
import { findExpiredLanes, readEndpointDemands } from './gen/delivery-queues.js';
import { countDueDeliveries } from './gen/due-deliveries.js';
import { leaseQueueHeads } from './gen/lease-queue-heads.js';

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
  const demands = await readEndpointDemands(tx, { webhookIds, endpointMax });
  const waits = demands.flatMap((row) => row.nextDueInMs ?? []);
  return { demands, nextDueInMs: waits.length > 0 ? Math.min(...waits) : undefined };
}

/** Leases up to `quota` due queues of each endpoint and counts an attempt for their heads, in one statement. */
export async function leaseHeads(
  tx: Tx,
  quotas: ReadonlyMap<string, number>,
  leaseMarginMs: number,
): Promise<ClaimedDelivery[]> {
  const rows = await leaseQueueHeads(tx, {
    quotas: [...quotas].map(([webhookId, quota]) => ({ webhookId, quota })),
    fastLeaseMs: retrySchedules.fast.timeoutMs + leaseMarginMs,
    standardLeaseMs: retrySchedules.standard.timeoutMs + leaseMarginMs,
  });
  return rows.map(toClaimedDelivery);
}

/** Finds leases that expired without a report because their worker crashed, with the start of their attempts. */
export async function findExpiredLeases(db: Queryable, limit: number): Promise<{ lease: Lease; startedAt: Date }[]> {
  const rows = await findExpiredLanes(db, { limit });
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

/** Counts the queues that are due and not leased, up to a bound, and how long the first has waited. */
export async function readDueDeliveries(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  return (await countDueDeliveries(db))!;
}
