import { describe, expect, it } from '@jest/globals';
import { fillPath, withField } from './request.js';
import { toSettings } from './settings.js';

describe('fillPath', () => {
  it('fills parameters in order and escapes them', () => {
    expect(fillPath('/a/{id}/b/{other_id}', ['x y', 'p/q?'])).toBe('/a/x%20y/b/p%2Fq%3F');
  });

  it.each(['', '.', '..', undefined])('throws for %j, which would name another endpoint', (value) => {
    expect(() => fillPath('/a/{id}', [value as string])).toThrow(TypeError);
  });
});

describe('withField', () => {
  it('replaces each value of the field in a copy, and keeps the other fields and the files', () => {
    const form = new FormData();
    form.append('stream', 'false');
    form.append('model', 'a');
    form.append('include[]', 'b');
    form.append('stream', 'x');
    form.append('include[]', 'c');
    form.append('file', new Blob(['audio']), 'memo.wav');
    const copy = withField(form, 'stream', 'true');
    expect(copy.getAll('stream')).toEqual(['true']);
    expect([copy.getAll('model'), copy.getAll('include[]')]).toEqual([['a'], ['b', 'c']]);
    expect(copy.get('file')).toMatchObject({ name: 'memo.wav', size: 5 });
    expect(form.getAll('stream')).toEqual(['false', 'x']);
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
