import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Clock } from '../time/clock.js';
import { Standstill } from './standstill.js';

/** A clock of two hands: the wall clock may step alone. */
class SetClock implements Clock {
  elapsedMs = 0;
  wallMs = 1_800_000_000_000;
  now = () => new Date(this.wallMs);
  nowMs = () => this.wallMs;
  elapsed = () => this.elapsedMs;

  pass(ms: number): void {
    this.elapsedMs += ms;
    this.wallMs += ms;
  }
}

let clock: SetClock;
let standstill: Standstill;

beforeEach(() => {
  jest.useFakeTimers();
  clock = new SetClock();
  standstill = new Standstill(clock);
});
afterEach(async () => {
  await standstill.stop();
  jest.useRealTimers();
});

async function isOver(afterMs: number): Promise<boolean> {
  let over = false;
  void Promise.resolve(standstill.over()).then(() => {
    over = true;
  });
  await jest.advanceTimersByTimeAsync(afterMs);
  return over;
}

describe('Standstill', () => {
  it('does not delay a process that runs', () => {
    for (const ms of [100, 999, 1_000]) {
      clock.pass(ms);
      expect(standstill.over()).toBeUndefined();
    }
  });

  it('observes a pause between two questions', async () => {
    clock.pass(20_000);
    await jest.advanceTimersByTimeAsync(100);
    clock.pass(50);
    expect(standstill.over()).toBeInstanceOf(Promise);
  });

  it('grants a grace after the process was paused, once', async () => {
    clock.pass(1_001);
    expect(await isOver(99)).toBe(false);
    expect(await isOver(101)).toBe(true);
    clock.pass(100);
    expect(standstill.over()).toBeUndefined();
  });

  it('grants a grace after the machine was suspended, which only the wall clock shows', async () => {
    clock.wallMs += 20_000;
    expect(await isOver(99)).toBe(false);
    expect(await isOver(101)).toBe(true);
  });

  it.each([-5, -60, -3_600, 3_600])('grants no longer grace when the wall clock steps by %d s during it', async (s) => {
    clock.pass(20_000);
    void standstill.over();
    clock.wallMs += s * 1_000;
    expect(await isOver(101)).toBe(true);
  });

  it('does not delay a process whose wall clock steps back', () => {
    clock.wallMs -= 3_600_000;
    expect(standstill.over()).toBeUndefined();
  });
});
