import { describe, expect, it } from '@jest/globals';
import { Standstill } from './standstill.js';

describe('Standstill', () => {
  it('does not delay a process that runs', async () => {
    let nowMs = 0;
    const standstill = new Standstill(() => nowMs);
    nowMs = 1_000;
    expect(standstill.over()).toBeUndefined();
    await standstill.stop();
  });

  it('grants a grace after the process was paused, once', async () => {
    let nowMs = 0;
    const standstill = new Standstill(() => nowMs);
    nowMs = 20_000;
    const over = standstill.over();
    expect(over).toBeInstanceOf(Promise);
    await over;
    nowMs += 100;
    expect(standstill.over()).toBeUndefined();
    await standstill.stop();
  });
});
