import { fields, type Logger } from '@tollgate/runtime';
import type { EventTransportConfig } from './create-transport.js';

/** The environment variables of the event transport, to spread into a service's configuration schema. */
export const eventsFields = {
  KAFKA_BROKERS: fields.csv().optional(),
  KAFKA_SSL: fields.bool().default(false),
  KAFKA_SASL_MECHANISM: fields.choice('plain', 'scram-sha-256', 'scram-sha-512').optional(),
  KAFKA_SASL_USERNAME: fields.text().optional(),
  KAFKA_SASL_PASSWORD: fields.secret().optional(),
  KAFKA_CREATE_TOPICS: fields.bool().default(true),
  KAFKA_TOPIC_PARTITIONS: fields.integer(1, 1000).default(6),
  KAFKA_TOPIC_REPLICATION: fields.integer(1, 10).optional(),
  /** Database of the embedded transport when the services do not share one. */
  EVENTS_DATABASE_URL: fields.databaseUrl().optional(),
};

/** What `loadConfig` gives for {@link eventsFields}. */
export interface EventsEnvironment {
  KAFKA_BROKERS?: string[] | undefined;
  KAFKA_SSL: boolean;
  KAFKA_SASL_MECHANISM?: 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  KAFKA_SASL_USERNAME?: string | undefined;
  KAFKA_SASL_PASSWORD?: string | undefined;
  KAFKA_CREATE_TOPICS: boolean;
  KAFKA_TOPIC_PARTITIONS: number;
  KAFKA_TOPIC_REPLICATION?: number | undefined;
  EVENTS_DATABASE_URL?: string | undefined;
}

/**
 * The transport that the environment asks for. `service` becomes the Kafka client id; `databaseUrl` is the service's own
 * database, used by the embedded transport unless EVENTS_DATABASE_URL names another.
 *
 * @throws Error when a SASL mechanism is set without name and password
 */
export function eventTransportConfig(
  env: EventsEnvironment,
  service: { name: string; databaseUrl: string; logger: Logger },
): EventTransportConfig {
  const { name: clientId, databaseUrl, logger } = service;
  const base = { databaseUrl: env.EVENTS_DATABASE_URL ?? databaseUrl, logger };
  if (!env.KAFKA_BROKERS || env.KAFKA_BROKERS.length === 0) return base;
  const topics = { partitions: env.KAFKA_TOPIC_PARTITIONS, replicationFactor: env.KAFKA_TOPIC_REPLICATION };
  return {
    ...base,
    kafka: {
      brokers: env.KAFKA_BROKERS,
      clientId,
      ssl: env.KAFKA_SSL,
      sasl: toSasl(env),
      createTopics: env.KAFKA_CREATE_TOPICS && topics,
    },
  };
}

function toSasl(env: EventsEnvironment) {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = env;
  if (!mechanism) return undefined;
  if (!username || !password) throw new Error('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD');
  return { mechanism, username, password };
}
