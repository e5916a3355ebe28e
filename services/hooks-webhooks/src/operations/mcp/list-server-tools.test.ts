import { describe, expect, it } from '@jest/globals';
import { limitChecks } from './list-server-tools.js';

describe('limitChecks', () => {
  /** Returns the time that each of some checks got, and the faults. */
  async function run(msEach: number, count: number, limits: { totalMs: number; slowMs: number }) {
    const given: number[] = [];
    const check = limitChecks(async (_schema, timeoutMs) => {
      given.push(timeoutMs);
      return { fault: undefined, ms: Math.min(msEach, timeoutMs) };
    }, limits);
    const faults: (string | undefined)[] = [];
    for (let n = 0; n < count; n += 1) faults.push(await check({}));
    return { given, faults };
  }

  it('refuses the schemas of a listing when its time is over, also when they are valid', async () => {
    const { given, faults } = await run(30, 3, { totalMs: 50, slowMs: 500 });
    expect(faults).toEqual([undefined, undefined, expect.stringContaining('take too long to check together')]);
    expect(given).toEqual([50, 20]);
  });

  it('leaves the time of an ordinary check to each schema behind slow ones', async () => {
    const { given } = await run(250, 5, { totalMs: 2_000, slowMs: 500 });
    expect(given).toEqual([510, 270, 30, 10, 10]);
  });

  it('returns the fault of a schema', async () => {
    const check = limitChecks(async () => ({ fault: 'is not usable', ms: 1 }));
    expect(await check({})).toBe('is not usable');
  });
});
