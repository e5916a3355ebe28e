import { describe, expect, it } from '@jest/globals';
import { stopAll, stopTogether } from './stoppable.js';

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

describe('stopTogether', () => {
  it('stops parts at the same time, and throws a failure once all have ended', async () => {
    const failure = new Error('stuck');
    const order: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const waiting = { stop: () => gate.then(() => void order.push('waiting')) };
    const opening = {
      async stop() {
        order.push('opening');
        open();
      },
    };
    await expect(stopTogether(waiting, { stop: () => Promise.reject(failure) }, opening)).rejects.toBe(failure);
    expect(order).toEqual(['opening', 'waiting']);
  });
});
