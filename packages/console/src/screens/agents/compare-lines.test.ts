import { expect, it } from '@jest/globals';
import { compareLines } from './compare-lines.js';

const marks = { same: ' ', added: '+', removed: '-' };
const compare = (before: string, after: string) =>
  compareLines([...before], [...after])
    .map(({ kind, text }) => marks[kind] + text)
    .join('');

it.each([
  ['abc', 'abc', ' a b c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['abcd', 'axcd', ' a-b+x c d'],
  ['abcdef', 'acdxf', ' a-b c d-e+x f'],
  ['aXbYc', 'abc', ' a-X b-Y c'],
])('compares %j with %j', (before, after, lines) => {
  expect(compare(before, after)).toBe(lines);
});

it('replaces texts that are too large to compare', () => {
  const old = Array.from({ length: 2_100 }, (_, i) => `old ${i}`);
  const now = Array.from({ length: 2_100 }, (_, i) => `new ${i}`);
  expect(compareLines(['a', ...old], ['a', ...now])).toHaveLength(4_201);
});
