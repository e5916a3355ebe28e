import { expect, it } from '@jest/globals';
import { bigintArray, uuidArray } from './binary-arrays.js';

it.each([2n ** 63n, -(2n ** 63n) - 1n])('rejects the number %s, which has more than 64 bits', (number) => {
  expect(() => bigintArray([number], [(it) => it])).toThrow('64 bits');
});

it('rejects a fraction', () => {
  expect(() => bigintArray([0.5], [(it) => it])).toThrow(RangeError);
});

it.each([
  '',
  'none',
  '00000000-0000-0000-0000-00000000000',
  '00000000-0000-0000-0000-00000000000g',
  '0000000é-0000-0000-0000-000000000000',
])('rejects %j, which is not a UUID', (id) => {
  expect(() => uuidArray([id], [(it) => it])).toThrow('UUID');
});
