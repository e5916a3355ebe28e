import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { collectRejections } from './collect-rejections.js';

const rejectAfter = async (ms: number, reason: string): Promise<never> => {
  await sleep(ms);
  throw reason;
};

it('returns the errors in order, although the second comes before the first', async () => {
  expect(await collectRejections([rejectAfter(20, 'slow'), rejectAfter(0, 'fast')])).toEqual(['slow', 'fast']);
});

it('names a promise that is fulfilled', async () => {
  await expect(collectRejections([rejectAfter(0, 'no'), Promise.resolve()])).rejects.toThrow('attempt 2 of 2');
});
