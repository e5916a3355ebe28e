import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';
import { parseExactJson } from './exact-json.js';

it('sorts members by name at every level, numbers as names included', () => {
  const text = '{"b":[1,{"d":null,"c":"ä\\"\\u2028"}],"a":{"9":1.5e300,"10":true,"Z":-0,"é":"x"},"":[]}';
  const canonical = canonicalJson(JSON.parse(text));
  expect(canonical).toBe('{"":[],"a":{"10":true,"9":1.5e+300,"Z":0,"é":"x"},"b":[1,{"c":"ä\\"\u2028","d":null}]}');
  expect(createHash('sha256').update(canonical).digest('hex')).toBe(
    'd5ee246c8ca9195b0d0ef2232c968b546689059cad66e14377ffe0e3dcc28cf5',
  );
});

it('keeps the order of arrays and a member named __proto__, and leaves out undefined members', () => {
  expect(canonicalJson([2, 1, undefined])).toBe('[2,1,null]');
  expect(canonicalJson(JSON.parse('{"__proto__":{"b":1,"a":2}}'))).toBe('{"__proto__":{"a":2,"b":1}}');
  expect(canonicalJson({ b: undefined, a: 'x' })).toBe('{"a":"x"}');
});

it('keeps the digits of exact numbers', () => {
  const text = '{"a":12345678901234567890}';
  expect(canonicalJson(parseExactJson(text))).toBe(text);
});
