import { describe, expect, it } from '@jest/globals';
import { toToolName } from './tool-names.js';

describe('toToolName', () => {
  it.each(['helper', 'A_b-9', 'x'.repeat(64)])('keeps the slug %s', (slug) => {
    expect(toToolName(slug)).toBe(slug);
  });

  it.each(['a.b-c', '9.', 'x'.repeat(65), `a.${'b'.repeat(106)}`, 'a_0123abcd'])(
    'gives the agent %s a name that every provider accepts',
    (slug) => {
      expect(toToolName(slug)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(toToolName(slug)).not.toBe(slug);
    },
  );

  it('gives agents different names, also those whose slugs look like names', () => {
    const slugs = ['a.b', 'a_b', 'a..b', 'a.b.', `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`];
    const all = [...slugs, ...slugs.map(toToolName)];
    expect(new Set(all.map(toToolName)).size).toBe(new Set(all).size);
  });
});
