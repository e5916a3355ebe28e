import { describe, expect, it } from '@jest/globals';
import { parseUrl, splitHosts } from './parse-url.js';

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

describe('splitHosts', () => {
  it('returns one URL per host, with credentials and parameters', () => {
    expect(splitHosts('postgresql://u:a,b@[::1]:5432,db.example,10.0.0.1:1/d?x=1,2')).toEqual([
      'postgresql://u:a,b@[::1]:5432/d?x=1,2',
      'postgresql://u:a,b@db.example/d?x=1,2',
      'postgresql://u:a,b@10.0.0.1:1/d?x=1,2',
    ]);
    expect(splitHosts('redis://one')).toEqual(['redis://one']);
  });

  it.each(['postgresql://a,,b/d', 'postgresql://a:x,b/d', 'a,b'])('returns undefined for %s', (text) => {
    expect(splitHosts(text)).toBeUndefined();
  });
});
