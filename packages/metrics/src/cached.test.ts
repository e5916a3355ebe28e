import { expect, it } from '@jest/globals';
import { cached } from './cached.js';

it('returns a result again until it is old', async () => {
  let reads = 0;
  const read = async () => ++reads;
  const longLived = cached(read, 60_000);
  expect([await longLived(), await longLived()]).toEqual([1, 1]);
  const shortLived = cached(read, 0);
  expect([await shortLived(), await shortLived()]).toEqual([2, 3]);
});

it('reads again after a failure', async () => {
  let fails = true;
  const read = cached(async () => {
    if (fails) throw new Error('no database');
    return 7;
  });
  await expect(read()).rejects.toThrow('no database');
  fails = false;
  expect(await read()).toBe(7);
});
