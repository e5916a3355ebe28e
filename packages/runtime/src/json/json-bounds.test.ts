import { describe, expect, it } from '@jest/globals';
import { type JsonBounds, scanJson } from './json-bounds.js';

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const exceeded = (text: string, bounds: Partial<JsonBounds>) =>
  scanJson(Buffer.from(text), { levels: Infinity, members: Infinity, names: Infinity, ...bounds }).exceeded;

describe('scanJson', () => {
  it.each([
    ['arrays', nested('[', ']', 200), nested('[', ']', 201)],
    ['objects', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, `${'{"a":'.repeat(201)}1${'}'.repeat(201)}`],
    ['both', nested('[{"a":', '}]', 100), `[${nested('[{"a":', '}]', 100)}]`],
  ])('allows 200 levels of %s and no more', (_what, allowed, refused) => {
    expect(exceeded(allowed, { levels: 200 })).toBeUndefined();
    expect(exceeded(refused, { levels: 200 })).toBe('levels');
  });

  it.each([
    ['numbers', '[1,2,3]', 3],
    ['empty containers', '[[],{},[]]', 3],
    ['members and the elements under them', '{"a":[1,2],"b":{"c":null}}', 5],
    ['spread text', ' { "a" : [ ] , "b" : [ 1 ,\n 2 ] } ', 4],
    ['strings full of commas and brackets', '["a,b","[,{,",",\\",\\\\",""]', 4],
    ['a single value', '"text"', 0],
    ['nothing', '', 0],
    ['an empty object', '{ }', 0],
  ])('counts the members of %s exactly', (_what, text, count) => {
    expect(exceeded(text, { members: count })).toBeUndefined();
    if (count > 0) expect(exceeded(text, { members: count - 1 })).toBe('members');
  });

  it.each([
    ['elements', '[1,[2,3],"a:b"]', 0],
    ['members of all levels', '{"a":[1,{"b":2}],"c":{"d":{}}}', 4],
    ['spread text', '{ "a" : { "b"\n:1 } }', 2],
  ])('counts the names in %s exactly', (_what, text, count) => {
    expect(exceeded(text, { names: count })).toBeUndefined();
    if (count > 0) expect(exceeded(text, { names: count - 1 })).toBe('names');
  });

  it.each([62, 63, 64, 65, 127, 128, 129, 500])('finds the end of a string after %i characters', (length) => {
    for (const filling of ['x', '\\"', '\\\\', 'x\\"', 'ü,']) {
      const string = filling.repeat(Math.ceil(length / filling.length));
      expect(exceeded(`["${string}",1]`, { members: 2 })).toBeUndefined();
      expect(exceeded(`["${string}",1]`, { members: 1 })).toBe('members');
    }
  });

  it('does not count brackets in strings', () => {
    const text = JSON.stringify({ text: '[[[[{{{{"[[[\\"[[[', more: ['\\', ']]]'] });
    expect(exceeded(text, { levels: 2 })).toBeUndefined();
  });

  it('reads unfinished text without failing', () => {
    expect(exceeded('["unfinished \\', { levels: 3 })).toBeUndefined();
    expect(exceeded(`["${'x'.repeat(1000)}\\`, { levels: 3 })).toBeUndefined();
    expect(exceeded('[[[[', { levels: 3 })).toBe('levels');
    expect(exceeded(']]]]]]', { levels: 1 })).toBeUndefined();
  });

  it.each([
    ['{"a":1e400}', true],
    ['[-1E9]', true],
    [`[1${'0'.repeat(400)}]`, true],
    ['[1.5,true,false,null,-0]', false],
    [`["1e400","${'9'.repeat(400)}"]`, false],
    [`[${Array(400).fill('1').join()}]`, false],
  ])('detects in %.30s whether a number may be too large: %s', (text, expected) => {
    expect(scanJson(Buffer.from(text), { levels: 9, members: 999, names: 999 }).mayOverflow).toBe(expected);
  });
});
