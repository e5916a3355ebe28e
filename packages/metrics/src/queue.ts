import type { Stoppable } from '@tollgate/runtime';
import { cached } from './cached.js';
import type { BoundCounter } from './instruments.js';
import type { Metrics } from './metrics.js';

/** Work of a queue that is due and not leased. */
export interface QueueTotals {
  /** Must be bounded: count up to 10,000. */
  count: number;
  /** 0 when nothing waits. */
  oldestSeconds: number;
}

/** Adds the gauges of a queue in the database: how much work waits and how long the oldest has waited. */
export function observeQueue(metrics: Metrics, queue: string, readTotals: () => Promise<QueueTotals>): Stoppable {
  const read = cached(readTotals);
  const labels = { queue };
  return metrics.observe({
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
      return { depth: [{ labels, value: count }], age: [{ labels, value: oldestSeconds }] };
    },
  });
}

/** Returns the counter of leases that this process lost on work of a queue. */
export function countLeaseLosses(metrics: Metrics, queue: string): BoundCounter {
  const losses = metrics.counter({
    name: 'tollgate_lease_losses_total',
    help: 'Work that this process had to give up: taken over, or ended by another process.',
    labels: ['queue'],
  });
  return losses.with({ queue });
}
