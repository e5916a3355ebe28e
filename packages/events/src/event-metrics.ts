import { cached, type Metrics } from '@tollgate/metrics';
import type pg from 'pg';
import { outboxHead } from './outbox.js';
import type { EventTransport, Subscription } from './transport.js';

/** Counts what consumers of a service do with events. */
export interface ConsumerMetrics {
  consumed(topic: string, events: number): void;
  deadLettered(topic: string): void;
}

/** Returns instruments that count nothing for a subscription without metrics. */
export function consumerMetrics({ metrics, group }: Subscription): ConsumerMetrics {
  if (!metrics) return { consumed: () => undefined, deadLettered: () => undefined };
  const labels = ['group', 'topic'] as const;
  const consumed = metrics.counter({
    name: 'tollgate_events_consumed_total',
    help: 'Events whose effect committed.',
    labels,
  });
  const deadLetters = metrics.counter({
    name: 'tollgate_dead_letters_total',
    help: 'Events that could not be handled.',
    labels,
  });
  return {
    consumed: (topic, events) => consumed.add({ group, topic }, events),
    deadLettered: (topic) => deadLetters.add({ group, topic }),
  };
}

/** Adds the gauges of a service's outbox. Returns a function that reads the age of the oldest event in seconds. */
export function observeOutbox(metrics: Metrics, pool: pg.Pool): () => Promise<number> {
  const read = cached(() => outboxHead(pool));
  metrics.observe({
    series: {
      unpublished: { name: 'tollgate_outbox_rows', help: 'Events that wait for the relay; counted up to 10,000.' },
      oldestSeconds: { name: 'tollgate_outbox_oldest_age_seconds', help: 'Age of the oldest of them.' },
    },
    async read() {
      const { unpublished, oldestSeconds } = await read();
      return { unpublished, oldestSeconds };
    },
  });
  return async () => (await read()).oldestSeconds;
}

/** Adds the gauge of events that subscriptions of a service have not handled yet. */
export function observeLag(
  metrics: Metrics,
  subscriptions: readonly Subscription[],
  openTransport: () => Promise<EventTransport>,
): void {
  if (subscriptions.length === 0) return;
  const read = cached(async () => {
    const transport = await openTransport();
    const lags = await Promise.all(
      subscriptions.map(async ({ group, topics }) =>
        (await transport.readLag(group, topics)).map(({ topic, events }) => ({
          labels: { group, topic },
          value: events,
        })),
      ),
    );
    return lags.flat();
  });
  metrics.observe({
    series: {
      lag: {
        name: 'tollgate_consumer_lag',
        help: 'Events that the group has not handled; counted up to 10,000 without Kafka.',
        labels: ['group', 'topic'],
      },
    },
    read: async () => ({ lag: await read() }),
  });
}
