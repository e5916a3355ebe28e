import { describe, expect, it } from '@jest/globals';
import { fillPath } from './request.js';
import { toSettings } from './settings.js';

describe('fillPath', () => {
  it('fills parameters in order and escapes them', () => {
    expect(fillPath('/a/{id}/b/{other_id}', ['x y', 'p/q?'])).toBe('/a/x%20y/b/p%2Fq%3F');
  });

  it.each(['', '.', '..', undefined])('throws for %j, which would name another endpoint', (value) => {
    expect(() => fillPath('/a/{id}', [value as string])).toThrow(TypeError);
  });
});

describe('toSettings', () => {
  it.each([
    ['http://a.test/', 'http://a.test'],
    ['https://a.test/gateway/api/v1/', 'https://a.test/gateway'],
  ])('reads the address %s', (baseUrl, expected) => {
    expect(toSettings({ baseUrl }).baseUrl).toBe(expected);
  });

  it.each(['', 'a.test', 'file:///etc', undefined])('throws for the address %j', (baseUrl) => {
    expect(() => toSettings({ baseUrl: baseUrl as string })).toThrow(TypeError);
  });
});
