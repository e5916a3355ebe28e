import type { Stoppable } from '@tollgate/runtime';
import type { Admin, Kafka } from 'kafkajs';

export interface KafkaCheck extends Stoppable {
  /** Resolves when a broker describes its cluster. Callers at the same time share one request. */
  check(): Promise<void>;
}

/** Asks the cluster over a connection that is kept; opens another after a failure. */
export function createKafkaCheck(kafka: Kafka): KafkaCheck {
  let admin: Promise<Admin> | undefined;
  let pending: Promise<void> | undefined;

  async function open(): Promise<Admin> {
    const opened = kafka.admin({ retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 2 } });
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
