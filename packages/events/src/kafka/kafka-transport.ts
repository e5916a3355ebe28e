import type { Logger, Stoppable } from '@tollgate/runtime';
import { deadLetterTopic } from '../dead-letter.js';
import type { EventRecord } from '../event.js';
import type { EventTransport, Subscription } from '../transport.js';
import { createKafkaCheck } from './kafka-check.js';
import { type KafkaConnection, kafkaClient } from './kafka-client.js';
import { advanceMark, readKept } from './kafka-kept.js';
import { createKafkaSender } from './kafka-producer.js';
import { startKafkaSubscription } from './kafka-subscription.js';
import { createKafkaTopics, type TopicCreation } from './kafka-topics.js';
import { keepRunning } from './keep-running.js';

export interface KafkaTransportOptions extends KafkaConnection {
  logger: Logger;
  /** How missing topics are created, or false where an operator creates them. Default: created. */
  createTopics?: TopicCreation | false;
}

/** Events over Kafka: idempotent producer, acknowledged by all in-sync replicas, CloudEvents in binary mode. */
export function createKafkaTransport(options: KafkaTransportOptions): EventTransport {
  const { logger } = options;
  const kafka = kafkaClient(options, logger);
  const sender = createKafkaSender(kafka);
  const topics = createKafkaTopics(kafka, options.createTopics ?? {}, logger);
  const health = createKafkaCheck(kafka, options.brokers);
  const subscriptions = new Set<Stoppable>();

  async function publish(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    await topics.ensure(events.map((event) => event.topic));
    await sender.send(events);
  }

  /** Returns immediately: a service starts, and keeps running, while Kafka is unavailable. */
  async function subscribe(subscription: Subscription): Promise<Stoppable> {
    const kept = keepRunning({
      name: `${subscription.group} consumer`,
      logger,
      async start() {
        await topics.ensure(subscription.topics.flatMap((topic) => [topic, deadLetterTopic(topic)]));
        const publishDeadLetter = (event: EventRecord) => publish([event]);
        return await startKafkaSubscription({ kafka, subscription, publishDeadLetter, logger });
      },
    });
    subscriptions.add(kept);
    return {
      async stop() {
        subscriptions.delete(kept);
        await kept.stop();
      },
    };
  }

  return {
    async start() {
      // Not awaited: a service starts while Kafka is unavailable, and its events wait in the outbox.
      sender.connect().catch((error) => logger.warn({ err: error }, 'Kafka cannot be reached yet'));
    },
    publish,
    subscribe,
    check: health.check,
    readLag: health.readLag,
    readKept: (query) => readKept(kafka, query),
    advanceMark: (group, events) => advanceMark(kafka, group, events),
    async stop() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
      subscriptions.clear();
      await sender.disconnect();
      await health.stop();
    },
  };
}
