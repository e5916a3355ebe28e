import { describe, expect, it } from '@jest/globals';
import { parseUrl } from './parse-url.js';

describe('parseUrl', () => {
  it('parses a Latin-1 host name even after many calls', () => {
    const url = 'https://bücher.example/';
    const read = Array.from({ length: 50_000 }, () => parseUrl(url)?.hostname);
    expect(new Set(read)).toEqual(new Set(['xn--bcher-kva.example']));
  });

  it('returns undefined for text that is not a URL, and accepts a base', () => {
    expect(parseUrl('//')).toBeUndefined();
    expect(parseUrl('/a')).toBeUndefined();
    expect(parseUrl('/a', 'https://example.com/b')?.href).toBe('https://example.com/a');
  });
});
