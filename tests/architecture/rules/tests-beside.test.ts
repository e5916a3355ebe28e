import { expect, it } from '@jest/globals';
import { findUntestedFiles } from './tests-beside.js';

const SETTLE = 'services/a/src/operations/holds/settle.ts';
const find = (...files: [path: string, text: string][]) =>
  findUntestedFiles(files.map(([path, text]) => ({ path, text }))).map(({ path }) => path);

it.each([SETTLE, 'services/a/src/domain/money.ts'])('finds a file without a test beside it: %s', (path) => {
  expect(find([path, 'export const a = 1;'])).toEqual([path]);
  expect(find([path, 'export const a = 1;'], ['services/a/src/domain/settle.test.ts', ''])).toEqual([path]);
});

it.each(['test', 'db.test', 'slow.test'])('accepts a test in *.%s.ts', (ending) => {
  expect(find([SETTLE, 'export const a = 1;'], [SETTLE.replace(/ts$/, `${ending}.ts`), ''])).toEqual([]);
});

it('requires none for types, exports of other files and other folders', () => {
  expect(find([SETTLE, "import type { B } from './b.js';\nexport interface A { b: B }\nexport type C = A;"])).toEqual(
    [],
  );
  expect(find([SETTLE, "export { settle } from './other.js';"])).toEqual([]);
  expect(find(['services/a/src/store/holds.ts', 'export const a = 1;'])).toEqual([]);
});
