import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { type EventsEnvironment, eventTransportConfig } from './config-fields.js';

const defaults: EventsEnvironment = { KAFKA_SSL: false, KAFKA_CREATE_TOPICS: true, KAFKA_TOPIC_PARTITIONS: 6 };
const service = { name: 'messaging', databaseUrl: 'postgresql://db/own', logger: silentLogger };

describe('eventTransportConfig', () => {
  it("selects the embedded transport in the service's database without brokers", () => {
    expect(eventTransportConfig(defaults, service)).toEqual({
      databaseUrl: 'postgresql://db/own',
      logger: silentLogger,
    });
  });

  it('takes the shared events database when it is named', () => {
    const env = { ...defaults, EVENTS_DATABASE_URL: 'postgresql://db/events' };
    expect(eventTransportConfig(env, service)).toMatchObject({ databaseUrl: 'postgresql://db/events' });
  });

  it('takes Kafka with brokers, and creates no topics where that is forbidden', () => {
    const env = { ...defaults, KAFKA_BROKERS: ['a:9092', 'b:9092'], KAFKA_CREATE_TOPICS: false };
    const { kafka } = eventTransportConfig(env, service);
    expect(kafka).toMatchObject({ brokers: ['a:9092', 'b:9092'], clientId: 'messaging', createTopics: false });
  });

  it('refuses a SASL mechanism without credentials', () => {
    const env: EventsEnvironment = { ...defaults, KAFKA_BROKERS: ['a:9092'], KAFKA_SASL_MECHANISM: 'plain' };
    expect(() => eventTransportConfig(env, service)).toThrow(/KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD/);
  });
});
