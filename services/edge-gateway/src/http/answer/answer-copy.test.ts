import { expect, it } from '@jest/globals';
import { concat } from './answer-copy.js';

it('joins text and bytes of any length in order', () => {
  const long = Buffer.from('long '.repeat(50));
  const parts = ['data: ', Buffer.from('{}'), '\n\n', 'é🙂', '', new Uint8Array(0), long, long.subarray(0, 17), 'end'];
  expect(concat(parts).toString()).toBe(`data: {}\n\né🙂${long}${long.subarray(0, 17)}end`);
});

it('returns bytes of its own', () => {
  const part = Buffer.from('ab');
  const joined = concat([part]);
  part[0] = 0;
  expect(joined.toString()).toBe('ab');
});
