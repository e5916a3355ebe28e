import { describe, expect, it } from '@jest/globals';
import { ExactNumber, parseExactJson, writeExactJson } from './exact-json.js';

function rewrite(text: string): string {
  return writeExactJson(parseExactJson(text));
}

describe('exact JSON', () => {
  it.each([
    '1234567890123456789',
    '-9007199254740993',
    '0.12345678901234567891',
    '123456789.123456789',
    '1e400',
    '-1.5E+309',
    '1e-400',
    '{"a":[1234567890123456789,{"b":"1234567890123456789"}],"c":12345678901234567890}',
    '{"1234567890123456789":"quoted \\" 1234567890123456789","n":98765432109876543210}',
  ])('writes %s as it was read', (text) => {
    expect(rewrite(text)).toBe(text);
  });

  it('reads a number of many zeros in linear time', () => {
    const text = `0.1${'0'.repeat(2_000_000)}1`;
    expect(rewrite(text)).toBe(text);
  });

  it('leaves numbers that JavaScript represents as numbers', () => {
    const value = parseExactJson(
      '[9007199254740991,1.5,0.1,1000000000000000,1e21,"0123456789012345678",0.30000000000000004]',
    );
    expect(value).toEqual([9007199254740991, 1.5, 0.1, 1e15, 1e21, '0123456789012345678', 0.1 + 0.2]);
  });

  it('shows other code the rounded number', () => {
    const number = parseExactJson('9007199254740993') as ExactNumber;
    expect(number).toBeInstanceOf(ExactNumber);
    expect(Number(number)).toBe(9007199254740992);
    expect(JSON.stringify({ number })).toBe('{"number":9007199254740992}');
    expect(JSON.stringify(structuredClone({ number }))).toBe('{"number":9007199254740992}');
  });

  it.each([
    '01234567890123456789',
    '{"a":12345678901234567890',
    '12345678901234567890 1',
    '--12345678901234567890',
    '"12345678901234567890',
  ])('refuses %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('writes nothing exactly after a value that cannot be written', () => {
    expect(() => writeExactJson({ a: 1n })).toThrow(TypeError);
    expect(JSON.stringify([parseExactJson('9007199254740993')])).toBe('[9007199254740992]');
  });
});
