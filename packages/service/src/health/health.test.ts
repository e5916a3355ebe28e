import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger, systemClock } from '@tollgate/runtime';
import { Health } from './health.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('Health', () => {
  it('stops all checks at the same moment: none starts while another is awaited', async () => {
    const health = new Health(systemClock, silentLogger);
    let [slow, hanging] = [0, 0];
    health.watch({
      name: 'slow',
      async check() {
        slow++;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return undefined;
      },
    });
    health.watch({
      name: 'hanging',
      check: () => (++hanging === 1 ? Promise.resolve(undefined) : new Promise(() => undefined)),
    });
    health.start();
    await jest.advanceTimersByTimeAsync(2_000);
    const stopping = health.stop();
    await jest.advanceTimersByTimeAsync(2_000);
    await stopping;
    expect([slow, hanging]).toEqual([1, 2]);
  });
});
