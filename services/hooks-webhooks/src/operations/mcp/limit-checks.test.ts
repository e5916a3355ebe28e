import { describe, expect, it } from '@jest/globals';
import { limitChecks } from './limit-checks.js';

function spin(ms: number): undefined {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return undefined;
}

describe('limitChecks', () => {
  it('refuses the schemas of a listing when its time is over, also when they are valid', async () => {
    const check = limitChecks(() => spin(30), 50);
    const faults = await Promise.all(Array.from({ length: 6 }, () => check({})));
    expect(faults[0]).toBeUndefined();
    expect(faults.slice(2)).toEqual(Array(4).fill(expect.stringContaining('too long')));
  });

  it('limits each check to the remaining time', async () => {
    const limits: number[] = [];
    const check = limitChecks((_schema, { timeoutMs }) => {
      limits.push(timeoutMs);
      return spin(20);
    }, 100);
    await check({});
    await check({});
    expect(limits[0]).toBe(100);
    expect(limits[1]).toBeLessThanOrEqual(80);
  });

  it('lets the event loop run between two checks, also of two listings', async () => {
    let turns = 0;
    const starts: number[] = [];
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const compile = () => {
      starts.push(turns);
      return spin(10);
    };
    const [first, second] = [limitChecks(compile), limitChecks(compile)];
    await Promise.all([first({}), second({}), first({}), second({})]);
    clearInterval(timer);
    expect(new Set(starts).size).toBe(4);
  });
});
