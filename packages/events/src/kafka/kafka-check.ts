import type { Stoppable } from '@tollgate/runtime';
import type { Admin, Kafka } from 'kafkajs';

export interface KafkaCheck extends Stoppable {
  /** Resolves when a broker describes its cluster. Callers at the same time share one request. */
  check(): Promise<void>;
}

const BROKERS_TRIED_MAX = 3;

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

  async function ask(): Promise<void> {
    admin ??= open();
    try {
      await (await admin).describeCluster();
    } catch (error) {
      await close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const closing = admin;
    admin = undefined;
    await closing?.then((opened) => opened.disconnect()).catch(() => undefined);
  }

  return {
    async check() {
      pending ??= ask().finally(() => {
        pending = undefined;
      });
      await pending;
    },
    async stop() {
      await pending?.catch(() => undefined);
      await close();
    },
  };
}
