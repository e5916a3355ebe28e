import { describe, expect, it } from '@jest/globals';
import { CALLS_DEEP_MAX, isTooNested } from './call-depth.js';

function nest(levels: number, open: string): string {
  return `SELECT ${open.repeat(levels)}1${')'.repeat(levels)}`;
}

describe('isTooNested', () => {
  it.each(['f(', 'f (', '"f"(+g(', 'f$(', 'f\n('])('counts nested calls written as %j', (open) => {
    expect(isTooNested(nest(CALLS_DEEP_MAX, open))).toBe(false);
    expect(isTooNested(nest(CALLS_DEEP_MAX + 1, open))).toBe(true);
  });

  it('counts neither calls beside each other nor parentheses alone', () => {
    expect(isTooNested(`SELECT ${'f(1)+'.repeat(1_000)}1`)).toBe(false);
    expect(isTooNested(nest(100, '('))).toBe(false);
    expect(isTooNested(`SELECT * FROM ${'(SELECT * FROM '.repeat(20)}t${') x'.repeat(20)}`)).toBe(false);
  });

  it.each(["'", '"', '`'])('ignores what is quoted by %s', (quote) => {
    expect(isTooNested(`SELECT ${quote}${'f('.repeat(100)}${quote}`)).toBe(false);
  });

  it.each(['a', 'a ', "'", '/*', '(', ' '])('reads a long text of %j in one pass', (piece) => {
    expect(isTooNested(piece.repeat(200_000))).toBe(false);
  });

  it.each([`-- ${'f('.repeat(100)}\n1`, `/* ${'f('.repeat(100)} **/ 1`])('ignores comments: %j', (text) => {
    expect(isTooNested(`SELECT ${text}`)).toBe(false);
  });
});
