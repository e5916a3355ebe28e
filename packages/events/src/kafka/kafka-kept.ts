import { randomUUID } from 'node:crypto';
import type { Admin, Consumer, Kafka } from 'kafkajs';
import type { ReceivedEvent } from '../event.js';
import type { KeptQuery } from '../transport.js';
import { fromMessage, strayRecord } from './cloud-events.js';

/** Where reading of each partition begins and where it ends; partitions without unread records are left out. */
type Spans = Map<number, { next: bigint; end: bigint }>;

/**
 * Reads a topic up to its present end with a consumer group of its own, which is deleted afterwards. The marks of other
 * groups stay where they are.
 */
export async function readKept(kafka: Kafka, query: KeptQuery): Promise<ReceivedEvent[]> {
  return await withAdmin(kafka, async (admin) => {
    const spans = await readSpans(admin, query);
    if (spans.size === 0) return [];
    const groupId = `tollgate-tool-${randomUUID()}`;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 });
    try {
      return await collect(consumer, spans, query);
    } finally {
      await consumer.disconnect();
      await admin.deleteGroups([groupId]).catch(() => undefined); // the broker forgets an empty group by itself
    }
  });
}

/** Stores offsets for a group that never has members. */
export async function advanceMark(kafka: Kafka, group: string, events: readonly ReceivedEvent[]): Promise<void> {
  await withAdmin(kafka, async (admin) => {
    for (const topic of new Set(events.map((event) => event.topic))) {
      const passed = new Map<number, bigint>();
      for (const { partition, offset } of await committed(admin, group, topic)) passed.set(partition, BigInt(offset));
      for (const event of events) {
        if (event.topic !== topic) continue;
        const [partition = 0, offset = 0n] = toPlace(event.position);
        if (offset + 1n > (passed.get(partition) ?? -1n)) passed.set(partition, offset + 1n);
      }
      const partitions = [...passed]
        .filter(([, offset]) => offset >= 0n)
        .map(([partition, offset]) => ({ partition, offset: String(offset) }));
      await admin.setOffsets({ groupId: group, topic, partitions });
    }
  });
}

async function withAdmin<T>(kafka: Kafka, use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

async function readSpans(admin: Admin, { topic, group }: KeptQuery): Promise<Spans> {
  if (!(await admin.listTopics()).includes(topic)) return new Map();
  const marks = group === undefined ? [] : await committed(admin, group, topic);
  const passed = new Map(marks.map(({ partition, offset }) => [partition, BigInt(offset)]));
  const spans: Spans = new Map();
  for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
    const mark = passed.get(partition) ?? -1n;
    const next = mark > BigInt(low) ? mark : BigInt(low);
    if (next < BigInt(high)) spans.set(partition, { next, end: BigInt(high) });
  }
  return spans;
}

async function committed(admin: Admin, groupId: string, topic: string) {
  const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] });
  return offsets?.partitions ?? [];
}

async function collect(
  consumer: Consumer,
  spans: Spans,
  { topic, limit, signal }: KeptQuery,
): Promise<ReceivedEvent[]> {
  const found: ReceivedEvent[] = [];
  const done = outcome();
  const fail = () => done.reject(signal.reason);
  signal.addEventListener('abort', fail);
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  const endIfComplete = () => {
    if (spans.size === 0 || found.length >= limit) done.resolve();
  };
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    async eachBatch({ batch, heartbeat }) {
      const span = spans.get(batch.partition);
      if (!span) return;
      for (const message of batch.messages) {
        const offset = BigInt(message.offset);
        if (offset < span.next || offset >= span.end || found.length >= limit) continue;
        found.push(fromMessage(topic, batch.partition, message) ?? strayRecord(topic, batch.partition, message));
      }
      if (BigInt(batch.lastOffset()) + 1n >= span.end) spans.delete(batch.partition);
      await heartbeat();
      endIfComplete();
    },
  });
  for (const [partition, { next }] of spans) consumer.seek({ topic, partition, offset: String(next) });
  try {
    await done.promise;
  } finally {
    signal.removeEventListener('abort', fail);
  }
  return found;
}

/** Reads `partition:offset`. */
function toPlace(position: string): [number, bigint] {
  const [partition = '0', offset = '0'] = position.split(':');
  return [Number(partition), BigInt(offset)];
}

function outcome() {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
