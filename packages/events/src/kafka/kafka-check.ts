import { type Stoppable, within } from '@tollgate/runtime';
import type { Admin, Kafka } from 'kafkajs';
import type { TopicLag } from '../transport.js';

export interface KafkaCheck extends Stoppable {
  /** Resolves when a broker describes its cluster. Callers at the same time share one request. */
  check(): Promise<void>;
  readLag(group: string, topics: readonly string[]): Promise<TopicLag[]>;
}

const BROKERS_TRIED_MAX = 3;
const CLOSE_MS_MAX = 1_000;

/** Asks the cluster over a connection that is kept; opens another after a failure. Tries a few of the brokers, once each. */
export function createKafkaCheck(kafka: Kafka, brokers: readonly string[]): KafkaCheck {
  const retries = Math.min(brokers.length, BROKERS_TRIED_MAX) - 1;

  let admin: Promise<Admin> | undefined;
  let pending: Promise<void> | undefined;

  async function open(): Promise<Admin> {
    const opened = kafka.admin({ retry: { initialRetryTime: 50, maxRetryTime: 200, retries } });
    await opened.connect();
    return opened;
  }

  async function ask<T>(request: (opened: Admin) => Promise<T>): Promise<T> {
    admin ??= open();
    try {
      return await request(await admin);
    } catch (error) {
      await close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const closing = admin;
    admin = undefined;
    if (!closing) return;
    const closed = closing.then((opened) => opened.disconnect()).catch(() => undefined);
    await within(closed, CLOSE_MS_MAX);
  }

  return {
    async check() {
      pending ??= ask(async (opened) => void (await opened.describeCluster())).finally(() => {
        pending = undefined;
      });
      await pending;
    },
    readLag: (group, topics) =>
      ask(async (opened) => {
        const committed = await opened.fetchOffsets({ groupId: group, topics: [...topics] });
        return await Promise.all(
          committed.map(async ({ topic, partitions }) => {
            const ends = await opened.fetchTopicOffsets(topic);
            const events = ends.reduce((sum, end) => {
              const reached = partitions.find(({ partition }) => partition === end.partition)?.offset;
              return sum + unread(end, reached);
            }, 0);
            return { topic, events };
          }),
        );
      }),
    async stop() {
      const ended = pending?.catch(() => undefined);
      if (ended) await within(ended, CLOSE_MS_MAX);
      await close();
    },
  };
}

/** A group that has committed nothing, which Kafka reports as -1, starts at the oldest event kept. */
function unread({ low, high }: { low: string; high: string }, reached = '-1'): number {
  return Math.max(0, Number(high) - Math.max(Number(reached), Number(low)));
}
