import { expect, it } from '@jest/globals';
import { findBadTitles, readTitles, titleProblem } from './test-titles.js';

const tests = (text: string) => ({ path: 'packages/a/src/a.test.ts', text });

it('reads the titles of it, test and their tables', () => {
  const text = `
    it('rejects a', () => {});
    test.only("keeps b", () => {});
    it.each([1, 2])('returns %i', () => {});
    it.each\`a | b\`('stores $a', () => {});
    describe('a group', () => {});
    for (const name of names) it(\`accepts \${name}\`, () => {});`;
  expect(readTitles(tests(text)).map(({ title }) => title)).toEqual([
    'rejects a',
    'keeps b',
    'returns %i',
    'stores $a',
    expect.stringMatching(/^accepts/),
  ]);
});

it.each(['rejects a top-up below the minimum', 'returns 404 for a foreign id', 'has one row'])(
  'accepts %j',
  (title) => {
    expect(titleProblem(title)).toBeUndefined();
  },
);

it.each([
  'is given up in the open',
  'refusals that pass are not kept',
  'are no archives',
  '%s: 404',
  'one behind the tool',
  `rejects ${'x'.repeat(110)}`,
])('refuses %j', (title) => {
  expect(titleProblem(title)).toBeDefined();
  expect(findBadTitles([tests(`it(${JSON.stringify(title)}, () => {});`)])).toHaveLength(1);
});
