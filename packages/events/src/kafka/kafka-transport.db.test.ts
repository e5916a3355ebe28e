import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeWith } from '@tollgate/testkit/describe-with';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { readPayload, testLogger, until } from '../conformance/harness.js';
import { describeTransport } from '../conformance/transport-conformance.js';
import { deadLetterTopic } from '../dead-letter.js';
import type { ReceivedEvent } from '../event.js';
import { createKafkaTransport } from './kafka-transport.js';

describeWith('KAFKA_BROKERS', 'Kafka transport', (list) => {
  const brokers = list.split(',');
  const options = { brokers, clientId: 'conformance', logger: testLogger };
  describeTransport('in general', () =>
    createKafkaTransport({ ...options, createTopics: { partitions: 3, replicationFactor: 1 } }),
  );

  it('sends a record that is not a CloudEvent to the dead-letter topic and continues', async () => {
    const topic = `test.${randomUUID().slice(0, 8)}.v1`;
    const bus = createKafkaTransport({ ...options, createTopics: { partitions: 1, replicationFactor: 1 } });
    const foreign = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer({
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await Promise.all([bus.start(), foreign.connect()]);
    const seen: ReceivedEvent[] = [];
    const letters: ReceivedEvent[] = [];
    await bus.subscribe({ group: `reader-${topic}`, topics: [topic], handler: async (event) => void seen.push(event) });
    const dead = [deadLetterTopic(topic)];
    await bus.subscribe({ group: `dead-${topic}`, topics: dead, handler: async (event) => void letters.push(event) });
    await foreign.send({ topic, messages: [{ key: 'k', value: 'not ours' }] });
    const base = { topic, key: 'k', type: 'thing.happened', source: '/test', occurredAt: new Date() };
    await bus.publish([{ ...base, id: randomUUID(), payload: Buffer.from('ours') }]);
    await until('both arrived', () => seen.length === 1 && letters.length === 1);
    await Promise.all([bus.stop(), foreign.disconnect()]);
    expect(readPayload(seen[0]!)).toBe('ours');
    expect(readPayload(letters[0]!)).toBe('not ours');
    expect(letters[0]!.headers).toMatchObject({
      dlq_topic: topic,
      dlq_reason: 'Error: the record is not a CloudEvent',
    });
  });
});
