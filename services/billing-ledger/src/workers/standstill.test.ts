import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { controllableClock } from '@tollgate/testkit';
import { Standstill } from './standstill.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

async function isOver(standstill: Standstill, afterMs: number): Promise<boolean> {
  let over = false;
  void standstill.over().then(() => {
    over = true;
  });
  await jest.advanceTimersByTimeAsync(afterMs);
  return over;
}

describe('Standstill', () => {
  it('does not delay a process that runs', async () => {
    const standstill = new Standstill();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await isOver(standstill, 0)).toBe(true);
    standstill.stop();
  });

  it('grants a grace after the process was paused', async () => {
    const clock = controllableClock();
    const standstill = new Standstill(clock);
    clock.advance({ seconds: 20 });
    expect(await isOver(standstill, 50)).toBe(false);
    expect(await isOver(standstill, 100)).toBe(true);
    standstill.stop();
  });

  it('grants a grace after the machine was suspended, which only the wall clock shows', async () => {
    const clock = controllableClock();
    const standstill = new Standstill(clock);
    clock.set(new Date(clock.nowMs() + 20_000));
    expect(await isOver(standstill, 50)).toBe(false);
    expect(await isOver(standstill, 100)).toBe(true);
    standstill.stop();
  });

  it.each([-5, -60, -3_600, 3_600])(
    'grants no longer grace when the wall clock steps by %d s during it',
    async (seconds) => {
      const clock = controllableClock();
      const standstill = new Standstill(clock);
      clock.advance({ seconds: 20 });
      void standstill.over();
      clock.set(new Date(clock.nowMs() + seconds * 1_000));
      expect(await isOver(standstill, 101)).toBe(true);
      standstill.stop();
    },
  );

  it('does not delay a process whose wall clock steps back', async () => {
    const clock = controllableClock();
    const standstill = new Standstill(clock);
    clock.set(new Date(clock.nowMs() - 3_600_000));
    expect(await isOver(standstill, 0)).toBe(true);
    standstill.stop();
  });
});
