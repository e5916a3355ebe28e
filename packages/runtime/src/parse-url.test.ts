import { describe, expect, it } from '@jest/globals';
import { parseUrl } from './parse-url.js';

describe('parseUrl', () => {
  it('reads a Latin-1 host name also when it is hot', () => {
    const url = 'https://bücher.example/';
    const read = Array.from({ length: 50_000 }, () => parseUrl(url)?.hostname);
    expect(new Set(read)).toEqual(new Set(['xn--bcher-kva.example']));
  });

  it('gives nothing for what is no URL, and takes a base', () => {
    expect(parseUrl('//')).toBeUndefined();
    expect(parseUrl('/a')).toBeUndefined();
    expect(parseUrl('/a', 'https://example.com/b')?.href).toBe('https://example.com/a');
  });
});
