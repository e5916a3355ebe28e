import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { keepRunning } from './keep-running.js';

const never = new Promise<Error>(() => undefined);

describe('keepRunning', () => {
  it('restarts after a failed start and after a later failure', async () => {
    let starts = 0;
    let stops = 0;
    let arrive: () => void = () => undefined;
    const third = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const start = async () => {
      starts += 1;
      if (starts === 1) throw new Error('broker down');
      if (starts === 3) arrive();
      return { failed: starts === 2 ? Promise.resolve(new Error('crashed')) : never, stop: async () => void stops++ };
    };
    const kept = keepRunning({ name: 'test', start, logger: silentLogger, pauseMs: 1 });
    await third;
    await kept.stop();
    expect({ starts, stops }).toEqual({ starts: 3, stops: 2 });
  });

  it('stops while it waits for the next try', async () => {
    let starts = 0;
    const start = async () => {
      starts += 1;
      throw new Error('broker down');
    };
    const kept = keepRunning({ name: 'test', start, logger: silentLogger, pauseMs: 3_600_000 });
    await new Promise((resolve) => setImmediate(resolve));
    await kept.stop();
    expect(starts).toBe(1);
  });
});
