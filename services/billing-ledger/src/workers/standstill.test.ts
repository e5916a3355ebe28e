import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
    const standstill = new Standstill();
    jest.setSystemTime(Date.now() + 20_000);
    expect(await isOver(standstill, 50)).toBe(false);
    expect(await isOver(standstill, 100)).toBe(true);
    standstill.stop();
  });
});
