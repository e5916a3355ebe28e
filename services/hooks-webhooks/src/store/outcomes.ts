import type { Tx } from '@tollgate/postgres';
import type { AttemptReport, Lease } from '../domain/webhooks/delivery.js';
import type { DisabledReason, EndpointHealth } from '../domain/webhooks/endpoint-health.js';

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
  const { rows } = await tx.query<{ place: number }>({
    name: 'outcomes.lock_leases',
    text: `SELECT r.place::int
           FROM webhook_lanes l
           JOIN unnest($1::uuid[], $2::text[], $3::int[], $4::uuid[], $5::int[])
             WITH ORDINALITY AS r (webhook_id, lane_key, epoch, delivery_id, round, place)
             ON l.webhook_id = r.webhook_id AND l.lane_key = r.lane_key
           WHERE l.epoch = r.epoch AND l.delivery_id = r.delivery_id AND l.leased_until IS NOT NULL
             AND r.round = (SELECT d.round FROM webhook_deliveries d WHERE d.id = l.delivery_id)
           ORDER BY l.webhook_id, l.lane_key FOR UPDATE OF l`,
    values: [
      leases.map((lease) => lease.webhookId),
      leases.map((lease) => lease.orderingKey),
      leases.map((lease) => lease.epoch),
      leases.map((lease) => lease.deliveryId),
      leases.map((lease) => lease.round),
    ],
  });
  return new Set(rows.map((row) => leases[row.place - 1]!));
}

/**
 * Records attempts whose queues are locked: the delivery, the attempt log and the queue. A retry stays the head of its
 * queue until it is due; otherwise the next pending delivery becomes the head, or the empty queue is deleted.
 *
 * Must be a separate statement after `lockLeases`, so that its snapshot includes every delivery that was queued before
 * the lock was acquired.
 */
export async function saveOutcomes(tx: Tx, reports: readonly AttemptReport[]): Promise<void> {
  await tx.query({
    name: 'outcomes.save',
    text: saveSql,
    values: [
      reports.map((report) => report.lease.webhookId),
      reports.map((report) => report.lease.orderingKey),
      reports.map((report) => report.lease.deliveryId),
      reports.map((report) => report.lease.round),
      reports.map((report) => report.lease.attempt),
      reports.map((report) => report.verdict.outcome),
      reports.map((report) => report.isInterrupted),
      reports.map((report) => (report.verdict.outcome === 'retry' ? report.verdict.delayMs : 0)),
      reports.map((report) => report.responseStatus ?? null),
      reports.map((report) => report.latencyMs ?? null),
      reports.map((report) => (report.verdict.outcome === 'delivered' ? null : report.verdict.error)),
      reports.map((report) => report.startedAt),
    ],
  });
}

const saveSql = `
  WITH report AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[], $5::int[], $6::text[], $7::bool[], $8::float8[],
                         $9::int[], $10::int[], $11::text[], $12::timestamptz[])
      AS r (webhook_id, lane_key, delivery_id, round, attempt, outcome, is_interrupted, delay_ms,
            response_status, latency_ms, error, started_at)
  ), delivery AS (
    UPDATE webhook_deliveries d
    SET status = CASE r.outcome WHEN 'retry' THEN 'pending' ELSE r.outcome END,
        response_status = r.response_status, latency_ms = r.latency_ms, error = r.error,
        updated_at = clock_timestamp()
    FROM report r WHERE d.id = r.delivery_id
  ), log AS (
    INSERT INTO webhook_attempts
      (delivery_id, round, attempt, outcome, response_status, latency_ms, error, started_at)
    SELECT delivery_id, round, attempt, CASE WHEN is_interrupted THEN 'interrupted' ELSE outcome END,
           response_status, latency_ms, error, started_at
    FROM report
  ), queue AS MATERIALIZED (
    SELECT r.webhook_id, r.lane_key, r.delay_ms,
           CASE r.outcome WHEN 'retry' THEN r.delivery_id ELSE (
             SELECT d.id FROM webhook_deliveries d
             WHERE d.webhook_id = r.webhook_id AND d.lane_key = r.lane_key AND d.status = 'pending'
             ORDER BY d.webhook_id, d.lane_key, d.seq LIMIT 1) END AS head
    FROM report r
  ), moved AS (
    UPDATE webhook_lanes l
    SET delivery_id = queue.head, leased_until = NULL,
        due_at = clock_timestamp() + queue.delay_ms * interval '1 ms'
    FROM queue WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.lane_key AND queue.head IS NOT NULL
  )
  DELETE FROM webhook_lanes l USING queue
  WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.lane_key AND queue.head IS NULL`;

export interface HealthChange {
  webhookId: string;
  health: EndpointHealth;
  disable: DisabledReason | undefined;
}

export async function saveHealth(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  await tx.query({
    name: 'outcomes.save_health',
    text: `UPDATE webhooks w
           SET failed_deliveries = c.failed_deliveries, failed_attempts = c.failed_attempts,
               enabled = w.enabled AND c.disable IS NULL,
               disabled_reason = CASE WHEN w.enabled THEN c.disable ELSE w.disabled_reason END,
               updated_at = CASE WHEN w.enabled AND c.disable IS NOT NULL THEN now() ELSE w.updated_at END
           FROM unnest($1::uuid[], $2::int[], $3::int[], $4::text[])
             AS c (id, failed_deliveries, failed_attempts, disable)
           WHERE w.id = c.id`,
    values: [
      changes.map((change) => change.webhookId),
      changes.map((change) => change.health.failedDeliveries),
      changes.map((change) => change.health.failedAttempts),
      changes.map((change) => change.disable ?? null),
    ],
  });
}
