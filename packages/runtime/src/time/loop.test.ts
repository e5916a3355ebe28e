import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../observing/logger.js';
import { createLoop, type Loop, type LoopOptions } from './loop.js';

const SPACING_MS = 30;

const loops: Loop[] = [];
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
});

function start(run: LoopOptions['run'], options: Partial<LoopOptions> = {}): Loop {
  const loop = createLoop({ name: 'test', intervalMs: 3_600_000, run, logger: silentLogger, ...options });
  loops.push(loop);
  return loop;
}

/** Counts passes and lets a test wait for the n-th. */
function passes() {
  let count = 0;
  const waiting = new Map<number, () => void>();
  return {
    get count() {
      return count;
    },
    next() {
      count += 1;
      waiting.get(count)?.();
      return count;
    },
    reached: (n: number) => (count >= n ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(n, resolve))),
  };
}

describe('createLoop', () => {
  it('runs at once and without pauses until the work is drained', async () => {
    const seen = passes();
    start(async () => seen.next() < 5);
    await seen.reached(5);
  });

  it('runs again when woken, however long the interval', async () => {
    const seen = passes();
    const loop = start(async () => void seen.next());
    await seen.reached(1);
    loop.wake();
    await seen.reached(2);
  });

  it('does not lose a wake-up that comes during a pass', async () => {
    const seen = passes();
    const loop = start(async () => {
      if (seen.next() === 1) loop.wake();
    });
    await seen.reached(2);
  });

  it('joins many wake-ups into few passes', async () => {
    const seen = passes();
    const loop = start(async () => void seen.next(), { spacingMs: SPACING_MS });
    await seen.reached(1);
    const startedAt = performance.now();
    for (let wakeUps = 0; wakeUps < 1_000 || performance.now() - startedAt < 100; wakeUps += 1) {
      loop.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen.count).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / SPACING_MS);
    await seen.reached(2);
  });

  it('runs again after the interval', async () => {
    const seen = passes();
    start(async () => void seen.next(), { intervalMs: 5 });
    await seen.reached(3);
  });

  it('marks passes that only the end of the pause has started', async () => {
    const seen = passes();
    const polls: boolean[] = [];
    const pauses = [3_600_000, 5];
    const run = async (_: AbortSignal, isPoll: boolean): Promise<boolean> => {
      polls.push(isPoll);
      return seen.next() === 1;
    };
    const loop = start(run, { intervalMs: () => pauses.shift() ?? 3_600_000 });
    await seen.reached(2);
    loop.wake();
    await seen.reached(4);
    expect(polls).toEqual([false, false, false, true]);
  });

  it('repeats failing passes with growing pauses', async () => {
    const seen = passes();
    const startedAt = performance.now();
    const loop = start(async () => {
      seen.next();
      loop.wake();
      throw new Error('down');
    });
    await seen.reached(3);
    expect(performance.now() - startedAt).toBeGreaterThan(140); // at least 100/… of the first two pauses: 50 + 100 ms
  });

  it('runs one pass at a time', async () => {
    const seen = passes();
    let active = 0;
    let most = 0;
    const loop = start(async () => {
      most = Math.max(most, ++active);
      loop.wake();
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      return seen.next() < 10;
    });
    await seen.reached(10);
    expect(most).toBe(1);
  });

  it('aborts the signal of the pass in progress on stop, waits for it, and starts no other', async () => {
    const seen = passes();
    let finished = false;
    const loop = start(async (signal) => {
      seen.next();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)));
      finished = true;
      return true;
    });
    await seen.reached(1);
    await loop.stop();
    expect(finished).toBe(true);
    loop.wake();
    expect(seen.count).toBe(1);
  });
});
