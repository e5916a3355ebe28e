import type { Tx } from '@tollgate/postgres';
import type { AttemptReport, Lease } from '../domain/webhooks/delivery.js';
import type { DisabledReason, EndpointHealth } from '../domain/webhooks/endpoint-health.js';
import { lockValidLeases, saveEndpointHealth } from './gen/outcomes.js';
import { saveAttempts } from './gen/save-attempts.js';

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
  const rows = await lockValidLeases(tx, { leases: leases.map((lease, place) => ({ ...lease, place })) });
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
  await saveAttempts(tx, {
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
  await saveEndpointHealth(tx, {
    changes: changes.map(({ webhookId, health, disable }) => ({ webhookId, ...health, disable })),
  });
}
