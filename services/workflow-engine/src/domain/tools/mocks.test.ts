import { describe, expect, it } from '@jest/globals';
import type { Json } from '../values/json.js';
import { reportMocks, serveMock } from './mocks.js';

describe('a mock', () => {
  const fresh = { count: 0, keys: new Set<string>() };
  it.each<[string, Json, string, number, Json | undefined]>([
    ['a list, the first', [1, 2], '{}', 0, 1],
    ['a list, the second', [1, 2], '{}', 1, 2],
    ['a list, used up', [1, 2], '{}', 2, undefined],
    ['an empty list', [], '{}', 0, undefined],
    ['an object by id', { a: 1 }, '{"id":"a"}', 7, 1],
    ['an object by key', { a: 1 }, '{"key":"a"}', 7, 1],
    ['an object by id before key', { a: 1, b: 2 }, '{"key":"a","id":"b"}', 0, 2],
    ['an object by key where id is unknown', { a: 1 }, '{"key":"a","id":"z"}', 0, 1],
    ['an object whose id is not a string', { 1: 'x' }, '{"id":1}', 0, { 1: 'x' }],
    ['an object without the key, once', { a: 1 }, '{"id":"z"}', 0, { a: 1 }],
    ['an object without the key, twice', { a: 1 }, '{"id":"z"}', 1, undefined],
    ['no inherited key', {}, '{"id":"toString"}', 0, {}],
    ['for arguments that are not JSON', { a: 1 }, 'id: a', 0, { a: 1 }],
    ['a value, once', 'v', '{}', 0, 'v'],
    ['a value, twice', 'v', '{}', 1, undefined],
    ['null', null, '{}', 0, null],
    ['false', false, '{}', 0, false],
  ])('answers %s', (_name, mock, args, count, value) => {
    expect(serveMock(mock, args, { ...fresh, count })?.value).toEqual(value);
  });

  it('reports each mock under its own name, without zero counts', () => {
    const mocks = { list: [1, 2, 3], 'a.b': { x: 1, y: 2 }, single: 1, never: [], unasked: { x: 1, y: 2 } };
    const calls = [
      { tool: 'list', served: 2, key: null },
      { tool: 'a_b', served: 1, key: 'x' },
      { tool: 'a_b', served: 1, key: 'x' },
      { tool: 'single', served: 1, key: null },
      { tool: 'single', served: 0, key: null },
      { tool: 'other', served: 0, key: null },
    ];
    expect(reportMocks(mocks, calls)).toEqual({
      served: { list: 2, 'a.b': 2, single: 1 },
      unconsumed: { list: 1, 'a.b': 1, unasked: 1 },
      unmocked: { single: 1, other: 1 },
    });
  });
});
