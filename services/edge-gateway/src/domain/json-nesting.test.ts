import { describe, expect, it } from '@jest/globals';
import { isNestedDeeperThan } from './json-nesting.js';

const deeper = (levels: number, text: string) => isNestedDeeperThan(levels, Buffer.from(text));
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

describe('isNestedDeeperThan', () => {
  it.each([
    ['arrays', nested('[', ']', 200), nested('[', ']', 201)],
    ['objects', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, `${'{"a":'.repeat(201)}1${'}'.repeat(201)}`],
    ['both', nested('[{"a":', '}]', 100), `[${nested('[{"a":', '}]', 100)}]`],
  ])('allows 200 levels of %s and no more', (_what, allowed, refused) => {
    expect(deeper(200, allowed)).toBe(false);
    expect(deeper(200, refused)).toBe(true);
  });

  it('does not count brackets in strings', () => {
    expect(deeper(2, JSON.stringify({ text: '[[[[{{{{"[[[\\"[[[', more: ['\\', ']]]'] }))).toBe(false);
  });

  it('does not count siblings', () => {
    expect(deeper(2, `[${Array(1000).fill('[]').join(',')}]`)).toBe(false);
  });

  it('reads unfinished text without failing', () => {
    expect(deeper(3, '["unfinished \\')).toBe(false);
    expect(deeper(3, '[[[[')).toBe(true);
    expect(deeper(1, ']]]]]]')).toBe(false);
  });
});
