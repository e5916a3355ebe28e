import { type Queryable, type Tx, toVisit, type Visit } from '@tollgate/postgres';
import {
  type AttemptReport,
  type ClaimedDelivery,
  type DisabledReason,
  type EndpointDemand,
  type EndpointHealth,
  type FreeSlots,
  type Lease,
  type RetryScheduleName,
  retrySchedules,
} from '../domain/webhooks/delivery.js';
import type { SignatureForm } from '../domain/webhooks/signature.js';
import {
  buildPayload,
  type EventHead,
  type WebhookEvent,
  type WebhookEventType,
} from '../domain/webhooks/webhook-event.js';
import * as sql from './gen/delivery-queues.js';
import { toPreviousSecret, toSealedSecret } from './sealed-secrets.js';

/** Returns the events that an endpoint subscribes to, enabled or not. Keeps the others off the write path. */
export async function selectWanted(db: Queryable, events: readonly EventHead[]): Promise<EventHead[]> {
  const { rows } = await db.query<{ project_id: string; event_type: string }>({
    name: 'fan_out.wanted',
    text: `SELECT DISTINCT w.project_id, type AS event_type
           FROM webhooks w CROSS JOIN LATERAL unnest(w.event_types) AS type
           WHERE w.project_id = ANY ($1::uuid[]) AND w.deleted_at IS NULL`,
    values: [[...new Set(events.map((event) => event.projectId))]],
  });
  const wanted = new Set(rows.map((row) => `${row.project_id} ${row.event_type}`));
  return events.filter((event) => wanted.has(`${event.projectId} ${event.type}`));
}

/**
 * Stores each event once and queues one delivery per subscribed endpoint; ignores an (endpoint, event) pair that
 * exists. Returns how many deliveries were queued. A delivery to a disabled endpoint is stored as failed: it can be recovered.
 */
export async function queueDeliveries(tx: Tx, events: readonly WebhookEvent[]): Promise<number> {
  const rows = events.map((event, place) => ({
    ...event,
    payload: buildPayload(event),
    customerId: event.customerId,
    traceparent: event.traceparent,
    place,
  }));
  return (await sql.queueDeliveries(tx, { events: rows }))!.queued;
}

/** Endpoints that one claim visits at most. */
const ENDPOINTS_VISITED_MAX = 256;

/**
 * Locks the next endpoints after `after` that have due queues, at most as many as there are free slots. Until the transaction ends, no other
 * claim starts attempts at them. The cost does not depend on the length of queues.
 */
export async function lockEndpoints(tx: Tx, after: string, free: FreeSlots, endpointMax: number): Promise<Visit> {
  const rows = await sql.visitEndpoints(tx, {
    after,
    foundMax: free.total,
    endpointMax,
    takesFailing: free.failing > 0,
  });
  return toVisit(rows, { visitedMax: ENDPOINTS_VISITED_MAX, foundMax: free.total });
}

/** Returns the demand of locked endpoints, and the time until the first of their waiting queues is due. */
export async function readDemands(
  tx: Tx,
  webhookIds: readonly string[],
  endpointMax: number,
): Promise<{ demands: EndpointDemand[]; nextDueInMs: number | undefined }> {
  const demands = await sql.readEndpointDemands(tx, { webhookIds, endpointMax });
  const waits = demands.flatMap((row) => row.nextDueInMs ?? []);
  return { demands, nextDueInMs: waits.length > 0 ? Math.min(...waits) : undefined };
}

/** Leases up to `quota` due queues of each endpoint and counts an attempt for their heads, in one statement. */
export async function leaseHeads(
  tx: Tx,
  quotas: ReadonlyMap<string, number>,
  leaseMarginMs: number,
): Promise<ClaimedDelivery[]> {
  const rows = await sql.leaseQueueHeads(tx, {
    quotas: [...quotas].map(([webhookId, quota]) => ({ webhookId, quota })),
    fastLeaseMs: retrySchedules.fast.timeoutMs + leaseMarginMs,
    standardLeaseMs: retrySchedules.standard.timeoutMs + leaseMarginMs,
  });
  return rows.map(toClaimedDelivery);
}

/** Finds leases that expired without a report because their worker crashed, with the start of their attempts. */
export async function findExpiredLeases(db: Queryable, limit: number): Promise<{ lease: Lease; startedAt: Date }[]> {
  const rows = await sql.findExpiredLanes(db, { limit });
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
  return (await sql.countDueDeliveries(db))!;
}

function toClaimedDelivery(row: sql.LeaseQueueHeadsRow): ClaimedDelivery {
  return {
    lease: {
      webhookId: row.webhook_id,
      orderingKey: row.lane_key,
      epoch: row.epoch,
      deliveryId: row.delivery_id,
      round: row.round,
      attempt: row.attempt_count,
    },
    endpoint: {
      webhookId: row.webhook_id,
      projectId: row.project_id,
      url: row.endpoint_url,
      signatureForm: row.signature_form as SignatureForm,
      retrySchedule: row.retry_schedule as RetryScheduleName,
      secret: toSealedSecret(row),
      previousSecret: toPreviousSecret(row),
    },
    eventId: row.event_id,
    eventType: row.event_type as WebhookEventType,
    payload: row.payload,
    traceparent: row.traceparent ?? undefined,
    queuedAt: row.created_at,
    isEndpointFailing: row.failed_attempts > 0,
  };
}

/**
 * Locks, in id order, the webhooks whose health these outcomes can change: all of `failed`, and those of `delivered`
 * with failures. Must precede the locks on their queues.
 */
export async function lockHealth(
  tx: Tx,
  failed: readonly string[],
  delivered: readonly string[],
): Promise<Map<string, EndpointHealth>> {
  const { rows } = await tx.query<{ id: string; failed_deliveries: number; failed_attempts: number }>({
    name: 'outcomes.lock_health',
    text: `SELECT id, failed_deliveries, failed_attempts FROM webhooks
           WHERE id = ANY ($1::uuid[]) OR (id = ANY ($2::uuid[]) AND failed_attempts > 0)
           ORDER BY id FOR NO KEY UPDATE`,
    values: [failed, delivered],
  });
  return new Map(
    rows.map((row) => [row.id, { failedDeliveries: row.failed_deliveries, failedAttempts: row.failed_attempts }]),
  );
}

/**
 * Locks the queues and returns the leases that are still valid: only these may be reported. The epoch restarts when a
 * queue is created again, so delivery and round must also match.
 */
export async function lockLeases(tx: Tx, leases: readonly Lease[]): Promise<Set<Lease>> {
  const rows = await sql.lockValidLeases(tx, { leases: leases.map((lease, place) => ({ ...lease, place })) });
  return new Set(rows.map(({ place }) => leases[place]!));
}

/**
 * Records attempts whose queues are locked: the delivery, the attempt log and the queue. A retry stays the head of its
 * queue until it is due; otherwise the next pending delivery becomes the head, or the empty queue is deleted.
 *
 * Must be a separate statement after `lockLeases`, so that its snapshot includes every delivery that was queued before
 * the lock was acquired.
 */
export async function saveOutcomes(tx: Tx, reports: readonly AttemptReport[]): Promise<void> {
  await sql.saveAttempts(tx, {
    reports: reports.map(({ lease, verdict, ...report }) => ({
      ...lease,
      ...report,
      outcome: verdict.outcome,
      delayMs: verdict.outcome === 'retry' ? verdict.delayMs : 0,
      error: verdict.outcome === 'delivered' ? undefined : verdict.error,
    })),
  });
}

export interface HealthChange {
  webhookId: string;
  health: EndpointHealth;
  disable: DisabledReason | undefined;
}

export async function saveHealth(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  await sql.saveEndpointHealth(tx, {
    changes: changes.map(({ webhookId, health, disable }) => ({ webhookId, ...health, disable })),
  });
}
