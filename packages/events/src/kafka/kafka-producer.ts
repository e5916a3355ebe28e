import { type Kafka, Partitioners, type Producer, type TopicMessages } from 'kafkajs';
import type { EventRecord } from '../event.js';
import { toHeaders } from './cloud-events.js';

export interface KafkaSender {
  connect(): Promise<void>;
  /** Resolves when all in-sync replicas have acknowledged all events. Calls are sent in sequence. */
  send(events: readonly EventRecord[]): Promise<void>;
  disconnect(): Promise<void>;
}

export function createKafkaSender(kafka: Kafka): KafkaSender {
  let producer: Promise<Producer> | undefined;
  let line: Promise<unknown> = Promise.resolve();

  async function open(): Promise<Producer> {
    const opened = kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    await opened.connect();
    return opened;
  }

  async function sendNow(events: readonly EventRecord[]): Promise<void> {
    producer ??= open();
    try {
      await (await producer).sendBatch({ acks: -1, topicMessages: byTopic(events) });
    } catch (error) {
      // After a failure the sequence numbers of an idempotent producer may no longer match the broker's.
      await close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const closing = producer;
    producer = undefined;
    await closing?.then((opened) => opened.disconnect()).catch(() => undefined);
  }

  return {
    async connect() {
      producer ??= open();
      await producer.catch((error) => {
        producer = undefined;
        throw error;
      });
    },
    async send(events) {
      const sending = line.then(() => sendNow(events));
      line = sending.catch(() => undefined);
      await sending;
    },
    async disconnect() {
      await line;
      await close();
    },
  };
}

function byTopic(events: readonly EventRecord[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const event of events) {
    const entry = topics.get(event.topic) ?? { topic: event.topic, messages: [] };
    topics.set(event.topic, entry);
    const value = Buffer.from(event.payload.buffer, event.payload.byteOffset, event.payload.byteLength);
    entry.messages.push({ key: event.key, value, headers: toHeaders(event) });
  }
  return [...topics.values()];
}
