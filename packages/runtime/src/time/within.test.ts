import { describe, expect, it } from '@jest/globals';
import { LATE, within } from './within.js';

describe('within', () => {
  it('resolves with the value of a promise that is in time', async () => {
    expect(await within(Promise.resolve(7), 10_000)).toBe(7);
  });

  it('rejects like a promise that fails in time', async () => {
    await expect(within(Promise.reject(new Error('no')), 10_000)).rejects.toThrow('no');
  });

  it('resolves with LATE when the time is up', async () => {
    expect(await within(new Promise(() => undefined), 5)).toBe(LATE);
  });

  it('ignores a rejection after the time is up', async () => {
    let fail: (error: Error) => void = () => undefined;
    const promise = new Promise((_, reject) => {
      fail = reject;
    });
    expect(await within(promise, 5)).toBe(LATE);
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
