import { describe, expect, it } from '@jest/globals';
import { stopAll } from './stoppable.js';

describe('stopAll', () => {
  it('stops parts in reverse order, one at a time, and skips parts that never started', async () => {
    const order: string[] = [];
    const part = (name: string) => ({
      async stop() {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(name);
      },
    });
    await stopAll(part('database'), undefined, part('server'));
    expect(order).toEqual(['server', 'database']);
  });

  it('stops the rest when one part fails, and throws the failure', async () => {
    const failure = new Error('stuck');
    let stops = 0;
    const stopping = stopAll({ stop: async () => void stops++ }, { stop: () => Promise.reject(failure) });
    await expect(stopping).rejects.toBe(failure);
    expect(stops).toBe(1);
  });
});
