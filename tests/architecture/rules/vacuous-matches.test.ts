import { expect, it } from '@jest/globals';
import { findVacuousMatches } from './vacuous-matches.js';

const find = (text: string) => findVacuousMatches([{ path: 'services/a/src/b.test.ts', text }]);

it.each([
  'expect(a).toMatchObject({ err: /bar/ });',
  'await expect(a()).rejects.toMatchObject({ cause: { message: /bar/i } });',
  'expect(a).toMatchObject([{ err: /bar/ }]);',
  "expect(a).toMatchObject({ err: new RegExp('bar') });",
  'const PATTERN = /bar/; expect(a).toMatchObject({ err: PATTERN });',
  'const err = /bar/; expect(a).toMatchObject({ err });',
  'function check(err: RegExp) { expect(a).toMatchObject({ err }); }',
  'const refused = (message: RegExp) => ({ message }); expect(a).toMatchObject(refused(/bar/));',
])('finds a pattern that matches everything: %s', (text) => {
  expect(find(text)).toHaveLength(1);
});

it.each([
  'expect(a).toMatchObject({ err: expect.stringMatching(/bar/) });',
  'const PATTERN = /bar/; expect(a).toMatchObject({ err: expect.stringMatching(PATTERN) });',
  "const err = /bar/; expect(a).toMatchObject({ err: 'bar' });",
  'const refused = (m: RegExp) => ({ m: expect.stringMatching(m) }); expect(a).toMatchObject(refused(/bar/));',
  'expect(a).toMatch(/bar/);',
  'await expect(a()).rejects.toThrow(/bar/);',
])('permits a pattern that is compared: %s', (text) => {
  expect(find(text)).toEqual([]);
});
