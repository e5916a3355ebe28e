import type { Logger } from '@tollgate/runtime';
import { createEmbeddedTransport } from './embedded/embedded-transport.js';
import type { KafkaTransportOptions } from './kafka/kafka-transport.js';
import type { EventTransport } from './transport.js';

export interface EventTransportConfig {
  /** Present: Kafka. Absent: the embedded transport. */
  kafka?: Omit<KafkaTransportOptions, 'logger'> | undefined;
  /** Database of the embedded transport, shared by all services that exchange events. */
  databaseUrl: string;
  logger: Logger;
}

/** Kafka when brokers are configured, whose client is loaded only then, else the embedded transport over PostgreSQL. */
export async function createEventTransport(config: EventTransportConfig): Promise<EventTransport> {
  const { kafka, databaseUrl, logger } = config;
  if (!kafka || kafka.brokers.length === 0) return createEmbeddedTransport({ url: databaseUrl, logger });
  const { createKafkaTransport } = await import('./kafka/kafka-transport.js');
  return createKafkaTransport({ ...kafka, logger });
}
