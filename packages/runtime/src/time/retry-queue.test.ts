import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../observing/logger.js';
import { RetryQueue, type RetryQueueOptions } from './retry-queue.js';

/** Work that fails this many times, then succeeds. */
function failing(times: number) {
  const work = { attempts: 0 };
  const attempt = async (): Promise<void> => {
    if (++work.attempts <= times) throw new Error(`attempt ${work.attempts} failed`);
  };
  return { work, attempt };
}

function createQueue(more: Partial<RetryQueueOptions> = {}): RetryQueue {
  const messages = { retrying: 'retrying', gaveUp: 'gave up' };
  return new RetryQueue({ logger: silentLogger, messages, retryForMs: 10_000, ...more });
}

describe('RetryQueue', () => {
  it('repeats work until it succeeds', async () => {
    const queue = createQueue();
    const { work, attempt } = failing(2);
    await queue.run(attempt, {}, 5_000);
    expect(work.attempts).toBe(3);
    expect(queue.pendingCount).toBe(0);
  });

  it('continues after its caller has stopped waiting', async () => {
    const queue = createQueue();
    const { work, attempt } = failing(2);
    await expect(queue.run(attempt, {}, 1)).rejects.toThrow('attempt 1 failed');
    await queue.drain(5_000);
    expect(work.attempts).toBe(3);
  });

  it('gives up after its time, and at once when too many works are pending', async () => {
    const queue = createQueue({ retryForMs: 30, pendingMax: 1 });
    const first = queue.run(failing(1_000).attempt, {}, 5_000);
    const second = queue.run(failing(1_000).attempt, {}, 5_000);
    await expect(second).rejects.toThrow('attempt 1 failed');
    await expect(first).rejects.toThrow('failed');
    expect(queue.pendingCount).toBe(0);
  });

  it('gives up work that is still pending when a drain ends', async () => {
    const queue = createQueue();
    const lost = expect(queue.run(failing(1_000).attempt, {}, 5_000)).rejects.toThrow('the service is stopping');
    await new Promise((resolve) => setImmediate(resolve));
    await queue.drain(10);
    await lost;
    expect(queue.pendingCount).toBe(0);
  });

  it('gives up a first attempt that fails after the drain has ended', async () => {
    const queue = createQueue();
    let fail = (): void => {};
    const attempt = () =>
      new Promise<void>((_, reject) => {
        fail = () => reject(new Error('too late'));
      });
    const lost = expect(queue.run(attempt, {}, 100)).rejects.toThrow('too late');
    await queue.drain(1);
    fail();
    await lost;
    expect(queue.pendingCount).toBe(0);
  });
});
