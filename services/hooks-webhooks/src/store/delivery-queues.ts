import { type Queryable, type Tx, toVisit, type Visit } from '@tollgate/postgres';
import type { EndpointDemand, FreeSlots } from '../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery, Lease } from '../domain/webhooks/delivery.js';
import { retrySchedules } from '../domain/webhooks/retry-policy.js';
import { toClaimedDelivery } from './claim-row.js';
import { findExpiredLanes, readEndpointDemands, visitEndpoints } from './gen/delivery-queues.js';
import { countDueDeliveries } from './gen/due-deliveries.js';
import { leaseQueueHeads } from './gen/lease-queue-heads.js';

/** Endpoints that one claim visits at most. */
const ENDPOINTS_VISITED_MAX = 256;

/**
 * Locks the next endpoints after `after` that have due queues, at most as many as there are free slots. Until the transaction ends, no other
 * claim starts attempts at them. The cost does not depend on the length of queues.
 */
export async function lockEndpoints(tx: Tx, after: string, free: FreeSlots, endpointMax: number): Promise<Visit> {
  const rows = await visitEndpoints(tx, { after, foundMax: free.total, endpointMax, takesFailing: free.failing > 0 });
  return toVisit(rows, { visitedMax: ENDPOINTS_VISITED_MAX, foundMax: free.total });
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
