import { describe, expect, it } from '@jest/globals';
import { parseBody } from './parse-body.js';

describe('parseBody', () => {
  it('returns undefined for an empty string', () => {
    expect(parseBody('', 10, 'spec')).toBeUndefined();
  });

  it('rejects text that is not JSON', () => {
    expect(() => parseBody('{', 10, 'spec')).toThrow('spec is not JSON');
  });

  it('does not count whitespace towards the limit', () => {
    expect(parseBody(`{ "a": ${' '.repeat(20)}1 }`, 7, 'spec')).toEqual({ a: 1 });
  });

  it('rejects a document that is too large without its whitespace', () => {
    expect(() => parseBody('{ "a": 12 }', 7, 'spec')).toThrow('spec is larger than 7 bytes');
  });
});
