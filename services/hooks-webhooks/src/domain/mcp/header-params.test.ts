import { describe, expect, it } from '@jest/globals';
import { encodeHeader, findHeaderParams, toParamHeaders, withoutHeaderMarks } from './header-params.js';

const marked = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('findHeaderParams', () => {
  it('finds marked properties, also of objects', () => {
    const schema = object({
      region: marked('Region'),
      plain: { type: 'string' },
      place: object({ floor: marked('Floor', 'integer'), isOpen: marked('Open', 'boolean') }),
      // The name of a property, not a mark.
      'x-mcp-header': { type: 'string' },
    });
    expect(findHeaderParams(schema)).toEqual([
      { header: 'Region', path: ['region'] },
      { header: 'Floor', path: ['place', 'floor'] },
      { header: 'Open', path: ['place', 'isOpen'] },
    ]);
    expect(findHeaderParams({ type: 'object', default: marked('A'), examples: [marked('A')] })).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an empty name', object({ a: marked('') })],
    ['a name with other characters', object({ a: marked('A B') })],
    ['a name that is no text', object({ a: marked(1) })],
    ['two names that differ in case only', object({ a: marked('A'), b: marked('a') })],
    ['a number', object({ a: marked('A', 'number') })],
    ['an object', object({ a: marked('A', 'object') })],
    ['several types', object({ a: marked('A', ['string', 'null']) })],
    ['the whole input', object({}, { 'x-mcp-header': 'A' })],
    ['an item', object({ a: { type: 'array', items: marked('A') } })],
    ['an alternative', object({}, { anyOf: [object({ a: marked('A') })] })],
    ['a definition', object({}, { $defs: { a: marked('A') } })],
  ])('rejects %s', (_what, schema) => {
    expect(findHeaderParams(schema)).toEqual(expect.stringContaining('x-mcp-header'));
  });
});

describe('withoutHeaderMarks', () => {
  it('removes the marks alone', () => {
    const schema = object({ a: marked('A'), 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 1 } } });
    expect(withoutHeaderMarks(schema)).toEqual(
      object({ a: { type: 'string' }, 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 1 } } }),
    );
  });
});

describe('toParamHeaders', () => {
  it('repeats text, whole numbers and booleans; omits the rest', () => {
    const names = ['text', 'whole', 'is', 'none', 'absent', 'list', 'half'];
    const params = [...names.map((name) => ({ header: name, path: ['in', name] })), { header: 'x', path: ['y', 'z'] }];
    const args = { in: { text: 'eu', whole: -7, is: true, none: null, list: [1], half: 0.5 }, y: 'no object' };
    expect(toParamHeaders(params, args)).toEqual({
      'mcp-param-text': 'eu',
      'mcp-param-whole': '-7',
      'mcp-param-is': 'true',
    });
  });
});

describe('encodeHeader', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['two words', 'two words'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('encodes %j', (value, encoded) => {
    expect(encodeHeader(value)).toBe(encoded);
  });
});
