import { countLeaseLosses, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import type { AttemptReport } from './domain/webhooks/delivery.js';

/** The instruments of deliveries. */
export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

export const QUEUE = 'webhooks';
const OUTCOMES = { delivered: 'delivered', retry: 'retried', failed: 'failed' } as const;

export function createDeliveryMetrics(metrics: Metrics) {
  const deliveries = metrics.counter({
    name: 'tollgate_webhook_deliveries_total',
    help: 'Attempts by outcome: delivered, retried later, or failed permanently.',
    labels: ['outcome'],
  });
  const duration = metrics.histogram({
    name: 'tollgate_webhook_delivery_duration_seconds',
    help: 'Time until the endpoint answered or the attempt ended otherwise.',
    labels: ['outcome'],
    buckets: LATENCY_BUCKETS,
  });
  return {
    attempted({ verdict, isInterrupted, latencyMs }: AttemptReport) {
      if (isInterrupted) return;
      const outcome = OUTCOMES[verdict.outcome];
      deliveries.add({ outcome });
      if (latencyMs !== undefined) duration.record({ outcome }, latencyMs / 1_000);
    },
    leaseLost: countLeaseLosses(metrics, QUEUE),
    refused: metrics.counter({
      name: 'tollgate_webhook_attempts_refused_total',
      help: 'Results of attempts that the database refused to store; each is logged.',
    }),
  };
}
