import { MetricsRegistry } from '@tollgate/metrics';
import type { Pool } from '@tollgate/postgres';
import { type LeasePool, silentLogger, systemClock } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { type AttemptReport, type ClaimedDelivery, judgeAttempt, retrySchedules } from '../domain/webhooks/delivery.js';
import { createDeliveryMetrics } from '../metrics.js';
import { recordAttempts } from '../operations/webhooks/deliver-events.js';
import { createDeliveryPool } from '../workers/delivery-worker.js';

export interface LeasedOptions {
  /** Undefined: as many as in production. */
  slots?: number;
  drainMs: number;
  leaseMs: number;
  pollMs: number;
  /** Runs a delivery to an endpoint; a throw fails the attempt. */
  run: (signal: AbortSignal, webhookId: string) => Promise<void>;
}

const PER_ENDPOINT = 10;
const SLOTS = 512;
const DAYS = 30;

/** Deliveries that do what a test or a benchmark says. */
export const leasedDeliveries = {
  name: 'deliveries',
  table: 'webhook_lanes',
  dueAt: 'due_at',
  firstPauseMs: retrySchedules.fast.delaysMs[1],
  /** Queues `$2` due deliveries, without a customer, to the endpoint `$1`. */
  insert: `
    WITH endpoint AS (
      INSERT INTO webhooks (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule, secret_key_id, secret_sealed)
      VALUES ($1, $1, 'http://127.0.0.1:9/', '{request.completed}', true, 'body', 'fast', '', '') ON CONFLICT DO NOTHING
    ), event AS (
      INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at)
      SELECT gen_random_uuid(), $1, 'request.completed', '', now() FROM generate_series(1, $2::int) RETURNING id
    ), queued AS (
      INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status)
      SELECT gen_random_uuid(), $1, id, id::text, 'pending' FROM event RETURNING id, lane_key)
    INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT $1, lane_key, id, now() FROM queued`,
  open(
    pool: Pool,
    { slots = SLOTS, drainMs, leaseMs, pollMs, run }: LeasedOptions,
  ): Pick<LeasePool<never>, 'start' | 'stop' | 'wake'> {
    const leaseMarginMs = leaseMs - retrySchedules.fast.timeoutMs;
    const days = { retentionDays: DAYS, hookRetentionDays: DAYS };
    const limits = { concurrency: slots, perEndpoint: PER_ENDPOINT, leaseMarginMs, pollMs, drainMs, ...days };
    const metrics = createDeliveryMetrics(new MetricsRegistry().forService('hooks-webhooks'));
    const ctx: Pick<Context, 'clock' | 'limits' | 'logger' | 'metrics' | 'queuePool'> = {
      clock: systemClock,
      limits,
      logger: silentLogger,
      metrics,
      queuePool: pool,
    };
    return createDeliveryPool(ctx, async (claim, signal) => {
      const outcome = await run(signal, claim.lease.webhookId).then(
        () => ({ kind: 'answered', status: 200 }) as const,
        () => ({ kind: 'unreachable', error: 'failed' }) as const,
      );
      await recordAttempts(ctx, [toReport(claim, signal.aborted ? { kind: 'interrupted' } : outcome)]).catch(
        () => undefined,
      );
    });
  },
};

function toReport({ lease }: ClaimedDelivery, answer: Parameters<typeof judgeAttempt>[2]): AttemptReport {
  const verdict = judgeAttempt(retrySchedules.fast, lease.attempt, answer, new Date());
  const isInterrupted = answer.kind === 'interrupted';
  return { lease, verdict, isInterrupted, responseStatus: undefined, latencyMs: 1, startedAt: new Date() };
}
