import { describe, expect, it } from '@jest/globals';
import { toSlug } from './slug.js';

describe('toSlug', () => {
  it.each([
    ['Weekly report', 'weekly-report'],
    ['  Ünïcode & more! ', 'n-code-more'],
    ['', ''],
  ])('derives from %j the slug %j', (name, slug) => {
    expect(toSlug(name)).toBe(slug);
  });
});
