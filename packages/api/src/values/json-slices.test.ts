import { describe, expect, it } from '@jest/globals';
import { parseInSlices } from './json-slices.js';

const names = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `"n${from + i}": ${i}`).join(',');

function parse(text: string): { value: unknown; slices: number } {
  const parsing = parseInSlices(Buffer.from(text));
  for (let slices = 1; ; slices++) {
    const { done, value } = parsing.next();
    if (done) return { value, slices };
  }
}

const VALID: [name: string, text: string][] = [
  ['one object', `{${names(20_000)}}`],
  ['an object with spaces around everything', ` { "a" : { ${names(12_000)} } , "b" : [ 1 ] } \n`],
  ['objects in arrays', `[[1],[{${names(6_000)}}, 2 ,{${names(6_000)}}],{${names(6_000)}},"end"]`],
  ['many small objects', `[${Array.from({ length: 8_000 }, (_, i) => `{${names(3, i)}}`).join(', ')}]`],
  ['large objects far down', `${'{"a":['.repeat(90)}{${names(30_000)}}${']}'.repeat(90)}`],
  ['large objects between small members', `{"x":1,"big":{${names(6_000)}},"y":[2],"z":{${names(6_000)}}}`],
  ['repeated names', `{"a":1,${names(6_000)},"a":{${names(6_000)}},${names(6_000)},"a":2}`],
  [
    'names that objects have',
    `{"__proto__":{${names(6_000)}},"constructor":1,"3":1,"1":2,${names(6_000)},"__proto__":4}`,
  ],
  ['text full of brackets', `{"s":"}],{:\\"[","\\u007b":{${names(6_000)},"t\\\\":"\\"}"}}`],
  ['few names', '{"a":[1,2.5e3,null,true,"x"]}'],
  ['a bare value', ' -1.5 '],
];

const BIG = `{${names(6_000)}}`;

const INVALID: [name: string, text: string][] = [
  ['nothing', ''],
  ['brackets that do not match', `[${BIG}}`],
  ['an unclosed object', `{"a":${BIG}`],
  ['text after the end', `${BIG} 1`],
  ['a second value', `[${BIG}${BIG}]`],
  ['a value before a large one', `{"a":1${BIG}}`],
  ['a value after a large one', `[${BIG} 1]`],
  ['a name without a value', `{"a"${BIG}}`],
  ['a large value without a name', `{${BIG}}`],
  ['a comma at the end', `[${BIG},]`],
  ['a comma at the beginning', `[,${BIG}]`],
  ['two commas', `[${BIG},,${BIG}]`],
  ['a comma at the end of a slice', `{${names(12_000)},}`],
  ['an open string', `{"a":${BIG},"b":"}`],
  ['a name in an array', `[${BIG},"a":1]`],
  ['words', `[${BIG},nul]`],
];

describe('parseInSlices', () => {
  it.each(VALID)('parses %s as JSON.parse does', (_name, text) => {
    const { value } = parse(text);
    const expected = JSON.parse(text);
    expect(value).toEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
  });

  it.each(INVALID)('rejects %s', (_name, text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parse(text)).toThrow(SyntaxError);
  });

  it('parses a hundred thousand names in at least ten slices, and few names in one', () => {
    expect(parse(`{${names(99_000)}}`).slices).toBeGreaterThanOrEqual(10);
    expect(
      parse(
        `[${Array(9_900)
          .fill(`{${names(10)}}`)
          .join()}]`,
      ).slices,
    ).toBeGreaterThanOrEqual(10);
    expect(parse(`{${names(100)}}`).slices).toBe(1);
  });

  it('keeps the prototype of an object with a member of that name', () => {
    const { value } = parse(`{"__proto__":{${names(6_000)}}}`);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
  });
});
