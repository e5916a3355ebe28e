import { expect, it } from '@jest/globals';
import { findManyParameters } from './parameters.js';

const FIVE = 'a: number, b: number, c: number, d: number, e: number';
const FOUR = 'a: number, b: number, c: number, d: number';

function lines(text: string, path = 'services/a/src/operations/x.ts'): number[] {
  return findManyParameters([{ path, text }]).map(({ line }) => line);
}

it.each([
  `function run(${FIVE}): void {}`,
  `const run = (${FIVE}): void => undefined;`,
  `class Run { constructor(${FIVE}) {} }`,
  `class Run { run(${FIVE}): void {} }`,
])('finds the five parameters of %s', (code) => {
  expect(lines(code)).toEqual([1]);
});

it.each([
  `function run(${FOUR}): void {}`,
  `function run(this: Run, ${FOUR}): void {}`,
  `function run({ a, b, c, d, e }: Parts): void {}`,
  `listen((${FIVE}) => undefined);`,
])('allows %s', (code) => {
  expect(lines(code)).toEqual([]);
});

it('allows any number of parameters in tests', () => {
  expect(lines(`function run(${FIVE}): void {}`, 'services/a/src/operations/x.test.ts')).toEqual([]);
});
