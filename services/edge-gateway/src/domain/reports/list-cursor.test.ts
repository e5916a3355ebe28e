import { describe, expect, it } from '@jest/globals';
import { fromCursor, toCursor } from './list-cursor.js';

const id = '7b0f2c36-52a1-4a0e-8d43-3c0f8a4d9e11';
const encode = (text: string) => Buffer.from(text).toString('base64url');

describe('fromCursor', () => {
  it.each([new Date(0), new Date('2026-11-23T04:05:06.789Z')])('returns the place of %j', (at) => {
    expect(fromCursor(toCursor({ at, id }))).toEqual({ at, id });
  });

  it.each([
    '',
    'x',
    encode(`.${id}`),
    encode(`1.${id.toUpperCase()}`),
    encode(`zzzzzzzzzzz.${id}`),
    encode(`1.${id}0`),
  ])('returns undefined for %j', (text) => {
    expect(fromCursor(text)).toBeUndefined();
  });
});
