import type { Logger, Stoppable } from '@tollgate/runtime';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { deadLetter } from '../dead-letter.js';
import { deliver } from '../deliver.js';
import type { EventRecord, ReceivedEvent } from '../event.js';
import { consumerMetrics } from '../event-metrics.js';
import type { Subscription } from '../transport.js';
import { fromMessage, strayRecord } from './cloud-events.js';

export interface KafkaSubscriptionOptions {
  kafka: Kafka;
  subscription: Subscription;
  publishDeadLetter: (event: EventRecord) => Promise<void>;
  logger: Logger;
}

/** Time after which the partitions of a killed member are assigned to others. */
const sessionTimeoutMs = 15_000;
const heartbeatMs = 3000;

export interface KafkaSubscription extends Stoppable {
  /** Resolves with the cause when the consumer gave up and has to be created again. */
  failed: Promise<Error>;
}

/** Joins the group and consumes until stopped. Offsets are committed only after the handler's own commit. */
export async function startKafkaSubscription(options: KafkaSubscriptionOptions): Promise<KafkaSubscription> {
  const { kafka, subscription } = options;
  const abort = new AbortController();
  const consumer = kafka.consumer({
    groupId: subscription.group,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatMs,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 500,
    retry: { initialRetryTime: 200, maxRetryTime: 5000, retries: 5, restartOnFailure: async () => false },
  });
  const failed = new Promise<Error>((resolve) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
  });
  const stop = async () => {
    abort.abort();
    await consumer.disconnect();
  };
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...subscription.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 3,
      eachBatch: (payload) => consumeBatch(payload, consumer, options, abort.signal),
    });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { failed, stop };
}

/** Processes the fetched messages of one partition in slices, and commits the offset after each slice. */
async function consumeBatch(
  payload: EachBatchPayload,
  consumer: Consumer,
  options: KafkaSubscriptionOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { batch } = payload;
  const batchMax = options.subscription.batchMax ?? 200;
  const pulse = startPulse(payload, stopping);
  try {
    for (let start = 0; start < batch.messages.length && !pulse.signal.aborted; start += batchMax) {
      const messages = batch.messages.slice(start, start + batchMax);
      const finished = await consumeSlice(messages, payload, options, pulse.signal);
      const last = messages[finished - 1];
      if (last && payload.isRunning() && !payload.isStale()) {
        payload.resolveOffset(last.offset);
        const offset = (BigInt(last.offset) + 1n).toString();
        await consumer.commitOffsets([{ topic: batch.topic, partition: batch.partition, offset }]);
      }
      if (finished < messages.length) break;
    }
  } finally {
    pulse.end();
  }
  pulse.throwIfLost();
}

/** Returns how many leading messages are finished. A record that is not an event becomes a dead letter immediately. */
async function consumeSlice(
  messages: readonly KafkaMessage[],
  { batch }: EachBatchPayload,
  options: KafkaSubscriptionOptions,
  signal: AbortSignal,
): Promise<number> {
  const { subscription, logger, publishDeadLetter } = options;
  const events: ReceivedEvent[] = [];
  for (const message of messages) {
    const event = fromMessage(batch.topic, batch.partition, message);
    if (event) {
      events.push(event);
      continue;
    }
    const stray = strayRecord(batch.topic, batch.partition, message);
    logger.error(
      { topic: batch.topic, position: stray.position },
      'record is not a CloudEvent; moved to the dead-letter topic',
    );
    await publishDeadLetter(deadLetter(stray, subscription.group, 1, new Error('the record is not a CloudEvent')));
    consumerMetrics(subscription).deadLettered(batch.topic);
  }
  const finished = await deliver(events, { subscription, publishDeadLetter, logger, signal });
  if (finished === events.length) return messages.length;
  return messages.findIndex((message) => `${batch.partition}:${message.offset}` === events[finished]!.position);
}

/**
 * Keeps the membership alive while a handler works, and stops the batch when the partition went to another member.
 */
function startPulse(payload: EachBatchPayload, stopping: AbortSignal) {
  const abort = new AbortController();
  let lost: unknown;
  const beat = () => {
    payload.heartbeat().catch((error) => {
      lost ??= error;
      abort.abort();
    });
  };
  const timer = setInterval(beat, heartbeatMs);
  const onStop = () => abort.abort();
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) onStop();
  return {
    signal: abort.signal,
    end() {
      clearInterval(timer);
      stopping.removeEventListener('abort', onStop);
    },
    /** kafkajs rejoins the group when the batch fails with the heartbeat's error. */
    throwIfLost() {
      if (lost !== undefined) throw lost;
    },
  };
}
