import { cached, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import type { RunStatus } from './domain/run/status.js';

/** The instruments of the engine. */
export type EngineMetrics = ReturnType<typeof createEngineMetrics>;

/** Runs take longer than calls: up to a day. */
const RUN_BUCKETS = [...LATENCY_BUCKETS, 900, 3_600, 14_400, 86_400];
const QUEUE = { queue: 'runs' };

export function createEngineMetrics(metrics: Metrics) {
  const ended = metrics.counter({ name: 'tollgate_runs_ended_total', help: 'Runs that ended.', labels: ['status'] });
  const duration = metrics.histogram({
    name: 'tollgate_run_duration_seconds',
    help: 'Time from the start of a run to its end.',
    labels: ['status'],
    buckets: RUN_BUCKETS,
  });
  const leaseLosses = metrics.counter({
    name: 'tollgate_lease_losses_total',
    help: 'Work that this process had to give up: taken over, or ended by another process.',
    labels: ['queue'],
  });
  return {
    runEnded(status: RunStatus, seconds: number) {
      ended.add({ status });
      duration.record({ status }, seconds);
    },
    leaseLost: leaseLosses.with(QUEUE),
  };
}

/** Adds the gauges of the queue of nodes. */
export function observeWork(
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
