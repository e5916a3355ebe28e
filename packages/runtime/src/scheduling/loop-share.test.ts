import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { LoopShare, yieldLoop } from './loop-share.js';

/** Work that takes some milliseconds of a clock that only it moves; what ran in one iteration of the event loop is a list. */
class Harness {
  nowMs = 0;
  readonly iterations: string[][] = [[]];
  readonly loop = new LoopShare(() => this.nowMs);
  readonly #workMs: number;

  constructor(workMs = 1) {
    this.#workMs = workMs;
  }

  work(name: string): () => void {
    return () => {
      this.nowMs += this.#workMs;
      this.iterations.at(-1)!.push(name);
    };
  }

  take(account: string, name = account): void {
    this.loop.take(account, this.work(name));
  }

  later(account: string, name = account): void {
    this.loop.later(account, this.work(name));
  }

  get started(): string[] {
    return this.iterations.flat();
  }

  async untilStarted(count: number): Promise<void> {
    while (this.started.length < count) {
      await nextIteration();
      this.iterations.push([]);
    }
  }
}

describe('work that may run now', () => {
  it('runs at once while its iteration of the event loop has time', () => {
    const harness = new Harness();
    for (let i = 0; i < 10; i++) harness.take('a');
    expect(harness.started).toHaveLength(10);
  });

  it('waits for later iterations when much arrives in one', async () => {
    const harness = new Harness();
    for (let i = 0; i < 200; i++) harness.take('busy');
    expect(harness.started).toHaveLength(10);
    await harness.untilStarted(200);
    expect(Math.max(...harness.iterations.map(({ length }) => length))).toBe(10);
  });

  it('lets accounts alternate', async () => {
    const harness = new Harness();
    for (let i = 0; i < 200; i++) harness.take('busy');
    harness.take('small');
    await harness.untilStarted(201);
    expect(harness.started.indexOf('small')).toBeLessThanOrEqual(11);
  });

  it('keeps the order of one account', async () => {
    const order: number[] = [];
    let nowMs = 0;
    const loop = new LoopShare(() => nowMs++);
    for (let i = 0; i < 50; i++) loop.take('a', () => order.push(i));
    while (order.length < 50) await nextIteration();
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('runs at once again after the others have run', async () => {
    const harness = new Harness();
    for (let i = 0; i < 30; i++) harness.take('busy');
    await harness.untilStarted(30);
    await nextIteration();
    await nextIteration();
    harness.take('small');
    expect(harness.started).toHaveLength(31);
  });

  it('waits once the budget of the iteration is spent, until the next one', async () => {
    const { loop, work } = startWork(6);
    expect([loop.tryNow(work), loop.tryNow(work), loop.tryNow(work)]).toEqual([true, true, false]);
    await nextIteration();
    expect(loop.tryNow(work)).toBe(true);
  });

  it('waits behind work that waits', async () => {
    const { loop, work } = startWork(11);
    loop.take('a', work);
    loop.take('a', work);
    loop.take('a', work);
    await nextIteration();
    expect(loop.tryNow(work)).toBe(false);
  });

  it('counts its time even when it throws', () => {
    const { loop, work } = startWork(20);
    const failing = (): void => {
      work();
      throw new Error('unreadable');
    };
    expect(() => loop.tryNow(failing)).toThrow('unreadable');
    expect(loop.tryNow(work)).toBe(false);
  });
});

describe('work that waits', () => {
  it('starts in later iterations of the event loop, in its order', async () => {
    const harness = new Harness(6);
    for (const name of ['a', 'b', 'c', 'd', 'e']) harness.later('a', name);
    await harness.untilStarted(5);
    expect(Math.max(...harness.iterations.map(({ length }) => length))).toBe(2);
    expect(harness.started).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('waits even when the loop has time', async () => {
    const harness = new Harness();
    harness.later('a');
    expect(harness.started).toEqual([]);
    await harness.untilStarted(1);
  });

  it('lets an account with one piece wait for one piece of an account with many', async () => {
    const harness = new Harness(11);
    for (const name of ['a1', 'a2', 'a3', 'a4']) harness.later('a', name);
    harness.later('b', 'b1');
    await harness.untilStarted(5);
    expect(harness.started).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('puts an account that asks again behind the others', async () => {
    const harness = new Harness(11);
    const again = (): void => {
      harness.work('a')();
      if (harness.started.length < 6) harness.loop.later('a', again);
    };
    harness.loop.later('a', again);
    for (const name of ['b', 'b']) harness.later('b', name);
    await harness.untilStarted(6);
    expect(harness.started).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
  });
});

describe('long work', () => {
  it('resumes one caller per iteration of the event loop', async () => {
    const resumedIn: number[] = [];
    let iteration = 0;
    const all = Promise.all(Array.from({ length: 5 }, () => yieldLoop().then(() => resumedIn.push(iteration))));
    for (; resumedIn.length < 5; iteration++) await nextIteration();
    await all;
    expect(new Set(resumedIn).size).toBe(5);
  });

  it('resumes in the order of its calls', async () => {
    const order: string[] = [];
    const run = async (name: string): Promise<void> => {
      for (const piece of [1, 2]) {
        await yieldLoop();
        order.push(`${name}${piece}`);
      }
    };
    await Promise.all([run('a'), run('b')]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('resumes after all others were served', async () => {
    await yieldLoop();
    await nextIteration();
    await expect(yieldLoop()).resolves.toBeUndefined();
  });
});

function startWork(workMs: number) {
  let nowMs = 0;
  const work = (): void => {
    nowMs += workMs;
  };
  return { loop: new LoopShare(() => nowMs), work };
}
