import { describe, expect, it } from '@jest/globals';
import { SharedLoop } from './shared-loop.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that takes a millisecond each, of a clock that only they move; those of one turn of the event loop are a list. */
class Harness {
  nowMs = 0;
  readonly turns: string[][] = [[]];
  readonly #loop = new SharedLoop(() => this.nowMs);

  take(caller: string): void {
    this.#loop.take(caller, () => {
      this.nowMs += 1;
      this.turns.at(-1)!.push(caller);
    });
  }

  get started(): number {
    return this.turns.flat().length;
  }

  async untilStarted(count: number): Promise<void> {
    while (this.started < count) {
      await nextTurn();
      this.turns.push([]);
    }
  }
}

describe('work on the shared loop', () => {
  it('takes no time while their turn of the event loop has time', () => {
    const harness = new Harness();
    for (let i = 0; i < 10; i++) harness.take('a');
    expect(harness.started).toBe(10);
  });

  it('waits for later turns when many arrive in one', async () => {
    const harness = new Harness();
    for (let i = 0; i < 200; i++) harness.take('busy');
    expect(harness.started).toBe(10);
    await harness.untilStarted(200);
    expect(Math.max(...harness.turns.map(({ length }) => length))).toBe(10);
  });

  it('lets callers take turns', async () => {
    const harness = new Harness();
    for (let i = 0; i < 200; i++) harness.take('busy');
    harness.take('small');
    await harness.untilStarted(201);
    expect(harness.turns.flat().indexOf('small')).toBeLessThanOrEqual(11);
  });

  it('keeps the order of one caller', async () => {
    const order: number[] = [];
    let nowMs = 0;
    const loop = new SharedLoop(() => nowMs++);
    for (let i = 0; i < 50; i++) loop.take('a', () => order.push(i));
    while (order.length < 50) await nextTurn();
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('takes no time again after the others have run', async () => {
    const harness = new Harness();
    for (let i = 0; i < 30; i++) harness.take('busy');
    await harness.untilStarted(30);
    await nextTurn();
    await nextTurn();
    harness.take('small');
    expect(harness.started).toBe(31);
  });
});
