import { describe, expect, it } from '@jest/globals';
import { limitChecks } from './limit-checks.js';

describe('limitChecks', () => {
  it('refuses the schemas of a listing when its time is over, also when they are valid', async () => {
    const limits: number[] = [];
    const check = limitChecks(async (_schema, timeoutMs) => {
      limits.push(timeoutMs);
      return { fault: undefined, ms: 30 };
    }, 50);
    const faults = [await check({}), await check({}), await check({})];
    expect(faults).toEqual([undefined, undefined, expect.stringContaining('take too long to check together')]);
    expect(limits).toEqual([50, 20]);
  });

  it('returns the fault of a schema', async () => {
    const check = limitChecks(async () => ({ fault: 'is not usable', ms: 1 }));
    expect(await check({})).toBe('is not usable');
  });
});
