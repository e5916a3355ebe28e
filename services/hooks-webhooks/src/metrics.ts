import { cached, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import type { AttemptReport } from './domain/webhooks/delivery.js';

/** The instruments of deliveries. */
export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

const QUEUE = { queue: 'webhooks' };
const OUTCOMES = { delivered: 'delivered', retry: 'retried', failed: 'failed' } as const;

export function createDeliveryMetrics(metrics: Metrics) {
  const deliveries = metrics.counter({
    name: 'tollgate_webhook_deliveries_total',
    help: 'Attempts by outcome: delivered, retried later, or failed for good.',
    labels: ['outcome'],
  });
  const duration = metrics.histogram({
    name: 'tollgate_webhook_delivery_duration_seconds',
    help: 'Time until the endpoint answered or the attempt ended otherwise.',
    labels: ['outcome'],
    buckets: LATENCY_BUCKETS,
  });
  const leaseLosses = metrics.counter({
    name: 'tollgate_lease_losses_total',
    help: 'Work that this process had to give up: taken over, or ended by another process.',
    labels: ['queue'],
  });
  return {
    attempted({ verdict, isInterrupted, latencyMs }: AttemptReport) {
      if (isInterrupted) return;
      const outcome = OUTCOMES[verdict.outcome];
      deliveries.add({ outcome });
      if (latencyMs !== undefined) duration.record({ outcome }, latencyMs / 1_000);
    },
    leaseLost: leaseLosses.with(QUEUE),
  };
}

/** Adds the gauges of the deliveries that wait. */
export function observeDeliveries(
  metrics: Metrics,
  readTotals: () => Promise<{ count: number; oldestSeconds: number }>,
): void {
  const read = cached(readTotals);
  metrics.observe({
    series: {
      depth: {
        name: 'tollgate_queue_depth',
        help: 'Work that is due and waits; counted up to 10,000.',
        labels: ['queue'],
      },
      age: {
        name: 'tollgate_queue_oldest_age_seconds',
        help: 'How long the oldest of that work has waited.',
        labels: ['queue'],
      },
    },
    async read() {
      const { count, oldestSeconds } = await read();
      return { depth: [{ labels: QUEUE, value: count }], age: [{ labels: QUEUE, value: oldestSeconds }] };
    },
  });
}
