import { expect, it } from '@jest/globals';
import { findProgramsInStrings } from './programs.js';

const find = (text: string) => findProgramsInStrings([{ path: 'packages/a/src/a.ts', text }]);

it.each([
  'new Worker(SOURCE, { eval: true });',
  'const add = new Function("a", "b", "return a + b");',
  "eval('1 + 1');",
])('finds a string that is run as code: %s', (text) => {
  expect(find(text)).toHaveLength(1);
});

it.each([
  "new Worker(new URL('./run-jobs.js', import.meta.url), { workerData });",
  'new Worker(file, { eval: false });',
  "client.eval('return 1', { keys: [] });",
])('permits threads of files, and scripts of other programs: %s', (text) => {
  expect(find(text)).toEqual([]);
});
