import { expect, it } from '@jest/globals';
import { collectRejections } from './collect-rejections.js';

it('returns the errors in order, although the second comes before the first', async () => {
  const fast = Promise.reject('fast');
  const slow = fast.catch(() => Promise.reject('slow'));
  expect(await collectRejections([slow, fast])).toEqual(['slow', 'fast']);
});

it('names a promise that is fulfilled', async () => {
  await expect(collectRejections([Promise.reject('no'), Promise.resolve()])).rejects.toThrow('attempt 2 of 2');
});
