import { describe, expect, it } from '@jest/globals';
import { findBrokenLinks, findName, repairLinks } from './links.js';

const code = [
  "import { settle } from './settle.js';",
  '',
  '/** Calls settle. */',
  'export async function settleAll(): Promise<void> {',
  '  await settle();',
  '}',
  '',
  'class Turn {',
  '  start(): void {',
  '    this.#askRoute();',
  '  }',
  '  #askRoute(): void {}',
  '}',
].join('\n');
const read = (path: string) => (path === 'src/a.ts' ? code : undefined);
const check = (text: string) => findBrokenLinks([{ path: 'docs/a.md', text }], read).map(({ message }) => message);

it.each([
  ['settleAll', 4],
  ['settle', 3],
  ['start', 9],
  ['#askRoute', 10],
  ['Turn', 8],
  ['missing', undefined],
])('finds %s in line %s', (name, line) => {
  expect(findName(code, name)).toBe(line);
});

describe('a link', () => {
  it('passes when its line has the name, and when it names no line', () => {
    expect(
      check('[`settleAll`](../src/a.ts#L4), [file](../src/a.ts), [site](https://example.com), [here](#part)'),
    ).toEqual([]);
  });

  it('reports the right line of a name that has moved', () => {
    expect(check('see [`settleAll`](../src/a.ts#L1)')).toEqual([
      'settleAll is in line 4 of src/a.ts, not 1: `npx tsx tests/architecture/write-links.ts` repairs it',
    ]);
  });

  it('reports a name and a file that do not exist', () => {
    expect(check('[`missing`](../src/a.ts#L1) and [b](../src/b.ts)')).toEqual([
      'src/a.ts has no missing',
      'src/b.ts does not exist',
    ]);
  });

  it('passes inside fenced code', () => {
    expect(check('```md\n[b](../src/b.ts)\n```')).toEqual([]);
  });
});

it('repairs the numbers of all lines and keeps the rest', () => {
  const text =
    'a\n[`settleAll`](../src/a.ts#L1) then [`start`](../src/a.ts#L100), [`Turn`](../src/a.ts#L8) [`x`](../src/a.ts#L2)';
  expect(repairLinks({ path: 'docs/a.md', text }, read)).toBe(
    'a\n[`settleAll`](../src/a.ts#L4) then [`start`](../src/a.ts#L9), [`Turn`](../src/a.ts#L8) [`x`](../src/a.ts#L2)',
  );
});
