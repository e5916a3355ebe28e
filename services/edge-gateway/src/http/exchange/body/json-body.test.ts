import { describe, expect, it } from '@jest/globals';
import { parseJson, parseJsonObject } from './json-body.js';

describe('parseJson', () => {
  it.each(['', '{', '{"a":}', 'undefined', '{"a":1}x', '\u0000'])('refuses %j', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('refuses broken UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it('refuses more than 200 levels', () => {
    expect(parseJson(Buffer.from('['.repeat(200) + ']'.repeat(200)))).toBeInstanceOf(Array);
    expect(() => parseJson(Buffer.from('['.repeat(201) + ']'.repeat(201)))).toThrow(/200 levels/);
  });

  it.each(['{"a":1e400}', '[[-1e999]]', `{"a":[{"b":1${'0'.repeat(400)}}]}`])('refuses the number in %.30s', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(/a number that is too large/);
  });

  it('accepts large numbers that a double can hold, and numbers in text', () => {
    expect(parseJson(Buffer.from('[1e308,1e-400,"1e400"]'))).toEqual([1e308, 0, '1e400']);
  });

  it('refuses more than 200,000 members and elements', () => {
    const list = (length: number) => Buffer.from(`[${Array(length).fill('{}').join(',')}]`);
    expect(parseJson(list(200_000))).toHaveLength(200_000);
    expect(() => parseJson(list(200_001))).toThrow(/more than 200000 members and elements/);
  });
});

describe('parseJson of many members', () => {
  it('refuses more than 40,000 members of objects', () => {
    const list = (length: number, more = '') =>
      Buffer.from(`[${more}${Array(length).fill('{"a":1,"b":2}').join(',')}]`);
    expect(parseJson(list(20_000))).toHaveLength(20_000);
    expect(() => parseJson(list(20_000, '{"c":3},'))).toThrow(/more than 40000 members of objects/);
  });
});

describe('parseJsonObject', () => {
  it.each(['[]', 'null', '1', '"text"', 'true'])('refuses %s', (text) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(/must be a JSON object/);
  });
});
