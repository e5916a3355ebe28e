import { expect, it } from '@jest/globals';
import { findForbiddenNames } from './identifiers.js';

const found = (text: string, path = 'packages/a/src/a.ts') => findForbiddenNames([{ path, text }]).length;

it.each([
  'function textOf() {}',
  'const textOf = () => 1;',
  'const reader = { textOf() {} };',
  'interface Reader { textOf(): string; }',
  'const goOn = 1;',
  'let isAway = false;',
  'function read(neighbour: string) {}',
  'type Behaviour = 1;',
  'const isCancelled = true;',
  'let normalised = 1;',
  'const LAST_WORDS_MS = 1;',
])('finds a name that the project does not use: %s', (text) => {
  expect(found(text)).toBe(1);
});

it('finds a British spelling in the name of a file', () => {
  expect(found('', 'packages/a/src/behaviour.ts')).toBe(1);
});

it('permits verbs, values and the names of other libraries', () => {
  expect(found('const partOf = 1; function requireOneOf() {} function toText() {}')).toBe(0);
  expect(found("const { cancelled } = stream; stream.on('cancelled', list.indexOf(1)); // colour")).toBe(0);
  expect(found('const promise = supervise(precise);')).toBe(0);
});
