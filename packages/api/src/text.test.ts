import { describe, expect, it } from '@jest/globals';
import { storableText } from './text.js';

describe('storableText', () => {
  it.each(['', 'a', '😀', '\u2028'])('takes %j', (text) => {
    expect(storableText(2).safeParse(text).success).toBe(true);
  });

  it.each(['\0', 'a\0', '\ud83d', '\ude00', 'abc'])('refuses %j', (text) => {
    expect(storableText(2).safeParse(text).success).toBe(false);
  });
});
