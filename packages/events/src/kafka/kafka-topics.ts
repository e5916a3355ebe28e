import type { Logger } from '@tollgate/runtime';
import type { Kafka } from 'kafkajs';

export interface TopicCreation {
  /**
   * Default 6. More partitions allow more consumers per group. Never change it while the order of a key's events
   * matters.
   */
  partitions?: number;
  /** Default: the broker's default. */
  replicationFactor?: number | undefined;
}

export interface KafkaTopics {
  /** Creates missing topics, once each. Does nothing when this process may not create topics. */
  ensure(topics: readonly string[]): Promise<void>;
}

export function createKafkaTopics(kafka: Kafka, creation: TopicCreation | false, logger: Logger): KafkaTopics {
  const known = new Set<string>();

  async function create(missing: readonly string[], settings: TopicCreation): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const existing = new Set(await admin.listTopics());
      const wanted = missing.filter((topic) => !existing.has(topic));
      if (wanted.length === 0) return;
      const created = await admin.createTopics({
        waitForLeaders: true,
        topics: wanted.map((topic) => ({
          topic,
          numPartitions: settings.partitions ?? 6,
          replicationFactor: settings.replicationFactor ?? -1,
        })),
      });
      if (created) logger.info({ topics: wanted }, 'created Kafka topics');
    } finally {
      await admin.disconnect();
    }
  }

  return {
    async ensure(topics) {
      const missing = [...new Set(topics)].filter((topic) => !known.has(topic));
      if (missing.length === 0 || creation === false) return;
      await create(missing, creation);
      for (const topic of missing) known.add(topic);
    },
  };
}
