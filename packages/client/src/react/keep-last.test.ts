import { expect, it } from '@jest/globals';
import { keepLast } from './keep-last.js';

it('keeps the last items', () => {
  expect(keepLast([1, 2], 3, 2)).toEqual([2, 3]);
  expect(keepLast([1], 2, 5)).toEqual([1, 2]);
});

it('keeps nothing with a limit of 0', () => {
  expect(keepLast([1], 2, 0)).toEqual([]);
});
