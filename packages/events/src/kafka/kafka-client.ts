import type { Logger } from '@tollgate/runtime';
import { Kafka, type KafkaConfig, type LogEntry, logLevel } from 'kafkajs';

export interface KafkaConnection {
  /** `host:port` of some brokers. */
  brokers: string[];
  clientId: string;
  ssl?: boolean;
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | undefined;
}

export function kafkaClient(connection: KafkaConnection, logger: Logger): Kafka {
  const config: KafkaConfig = {
    brokers: connection.brokers,
    clientId: connection.clientId,
    ssl: connection.ssl ?? false,
    connectionTimeout: 5000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 200, maxRetryTime: 5000, retries: 5 },
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => forward(logger, entry),
  };
  if (connection.sasl) config.sasl = connection.sasl as NonNullable<KafkaConfig['sasl']>;
  return new Kafka(config);
}

/** Logs kafkajs' lines one level lower: the code that handles an important one logs it again. */
function forward(logger: Logger, { level, log, namespace }: LogEntry): void {
  const { message, timestamp: _timestamp, logger: _logger, ...details } = log;
  const facts = { kafka: namespace, ...details };
  if (level === logLevel.ERROR) logger.warn(facts, message);
  else if (level === logLevel.WARN) logger.debug(facts, message);
  else logger.trace(facts, message);
}
