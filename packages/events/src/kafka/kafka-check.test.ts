import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Admin, Kafka } from 'kafkajs';
import { createKafkaCheck } from './kafka-check.js';

const never = () => new Promise<never>(() => undefined);

function checkWith(admin: Partial<Record<keyof Admin, () => Promise<unknown>>>) {
  const opened = { connect: async () => undefined, disconnect: async () => undefined, ...admin };
  return createKafkaCheck({ admin: () => opened } as unknown as Kafka, ['broker:9092']);
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the stop of the check', () => {
  it.each([
    ['opens no connection', { connect: never }],
    ['does not answer', { describeCluster: never }],
    ['does not close its connection', { describeCluster: async () => ({}), disconnect: never }],
  ])('ends in bounded time while the broker %s', async (_case, admin) => {
    const check = checkWith(admin);
    check.check().catch(() => undefined);
    let isStopped = false;
    void check.stop().then(() => {
      isStopped = true;
    });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(isStopped).toBe(true);
  });

  it('closes a connection that opens after it', async () => {
    let finish = (): void => undefined;
    const disconnect = jest.fn(async () => undefined);
    const check = checkWith({
      connect: () => new Promise<void>((resolve) => (finish = resolve)),
      describeCluster: async () => ({}),
      disconnect,
    });
    check.check().catch(() => undefined);
    const stopping = check.stop();
    await jest.advanceTimersByTimeAsync(2_000);
    await stopping;
    finish();
    await jest.advanceTimersByTimeAsync(0);
    expect(disconnect).toHaveBeenCalledTimes(1);
  });
});
