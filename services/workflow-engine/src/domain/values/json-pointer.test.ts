import { describe, expect, it } from '@jest/globals';
import type { Json } from './json.js';
import { assignAtPointer, isPointer, resolvePointer, toPointer } from './json-pointer.js';

// The examples of RFC 6901, section 5.
const document: Json = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'm~n': 8, ' ': 7, nothing: null };

describe('resolvePointer', () => {
  it.each<[string, Json]>([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/m~0n', 8],
    ['/ ', 7],
    ['/nothing', null],
  ])('finds %j', (pointer, value) => {
    expect(resolvePointer(document, pointer)).toEqual({ found: true, value });
  });

  it.each([
    '/foo/2',
    '/foo/-',
    '/foo/01',
    '/foo/x',
    '/foo/length',
    '/bar',
    '/foo/0/0',
    '/toString',
    '/__proto__',
    '/nothing/x',
  ])('finds nothing at %j', (pointer) => {
    expect(resolvePointer(document, pointer)).toEqual({ found: false });
  });
});

describe('isPointer', () => {
  it.each([
    ['', true],
    ['/a/b', true],
    ['/~0~1', true],
    ['a', false],
    ['/~', false],
    ['/~2', false],
    ['#/a', false],
  ])('decides whether %j is a pointer: %j', (text, expected) => {
    expect(isPointer(text)).toBe(expected);
  });

  it('agrees with toPointer on any path', () => {
    const path = ['a/b', 'm~n', '', 3];
    expect(isPointer(toPointer(path))).toBe(true);
    expect(toPointer(path)).toBe('/a~1b/m~0n//3');
  });
});

describe('assignAtPointer', () => {
  it.each<[string, string, Json, boolean]>([
    ['a member is replaced', '/a/x', { a: { x: 9 }, l: [1, 2] }, true],
    ['a member is added', '/a/y', { a: { x: 1, y: 9 }, l: [1, 2] }, true],
    ['an entry is replaced', '/l/0', { a: { x: 1 }, l: [9, 2] }, true],
    ['an entry is appended at the length', '/l/2', { a: { x: 1 }, l: [1, 2, 9] }, true],
    ['an entry is appended at the dash', '/l/-', { a: { x: 1 }, l: [1, 2, 9] }, true],
    ['no gap is left', '/l/5', { a: { x: 1 }, l: [1, 2] }, false],
    ['no parent is created', '/b/c', { a: { x: 1 }, l: [1, 2] }, false],
    ['the whole document is not replaced', '', { a: { x: 1 }, l: [1, 2] }, false],
  ])('assigns the value or returns false: %s', (_name, pointer, expected, done) => {
    const target: Json = { a: { x: 1 }, l: [1, 2] };
    expect(assignAtPointer(target, pointer, 9)).toBe(done);
    expect(target).toEqual(expected);
  });

  it('sets __proto__ as data and touches no prototype', () => {
    const target: Json = {};
    expect(assignAtPointer(target, '/__proto__', { polluted: true })).toBe(true);
    expect(Object.keys(target)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
