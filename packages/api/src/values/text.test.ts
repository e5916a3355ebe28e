import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { storableText } from './text.js';

describe('storableText', () => {
  it.each(['', 'a', '😀', '\u2028'])('takes %j', (text) => {
    expect(storableText(2).safeParse(text).success).toBe(true);
  });

  it('counts code points, as its JSON Schema says', () => {
    const text = storableText(255);
    expect(text.safeParse('😀'.repeat(255)).success).toBe(true);
    expect(text.safeParse('😀'.repeat(256)).success).toBe(false);
    expect(text.safeParse('a'.repeat(511)).error?.issues[0]?.message).toContain('<=255 characters');
    expect(z.toJSONSchema(text)).toMatchObject({ maxLength: 255 });
  });

  it.each(['\0', 'a\0', '\ud83d', '\ude00', 'abc'])('refuses %j', (text) => {
    expect(storableText(2).safeParse(text).success).toBe(false);
  });
});
