import { describe, expect, it } from '@jest/globals';
import { testLogger } from '../conformance/harness.js';
import { describeTransport } from '../conformance/transport-conformance.js';
import { createKafkaTransport } from './kafka-transport.js';

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');

if (brokers.length > 0) {
  describeTransport('Kafka transport', () =>
    createKafkaTransport({
      brokers,
      clientId: 'conformance',
      logger: testLogger,
      createTopics: { partitions: 3, replicationFactor: 1 },
    }),
  );
} else {
  describe('Kafka transport', () => {
    const skipped = 'is tested against a real broker (set KAFKA_BROKERS)';
    if (process.env.CI === 'true') it(skipped, () => expect(brokers).not.toEqual([]));
    else it.skip(skipped, () => undefined);
  });
}
