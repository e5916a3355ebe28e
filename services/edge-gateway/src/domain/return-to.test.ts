import { describe, expect, it } from '@jest/globals';
import { isAllowedReturn, toConsolePath, withFragment } from './return-to.js';

describe('isAllowedReturn', () => {
  const allowed = ['https://app.example.com', 'http://intra.example.com:8080'];
  it.each([
    'http://127.0.0.1:49152/done',
    'http://localhost/',
    'http://[::1]:9/x?y=1',
    'https://app.example.com/after/sign-in',
    'http://intra.example.com:8080/',
  ])('allows %s', (url) => {
    expect(isAllowedReturn(url, allowed)).toBe(true);
  });

  it.each([
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://user:pw@app.example.com/',
    'http://app.example.com/',
    'https://app.example.com:8443/',
    'https://localhost.evil.example/',
    'https://127.0.0.1/',
    'javascript:alert(1)',
    'myapp://callback',
    '/relative',
    '',
  ])('rejects %s', (url) => {
    expect(isAllowedReturn(url, allowed)).toBe(false);
  });
});

describe('toConsolePath', () => {
  it.each([
    ['/console', '/console'],
    ['/console/', '/console/'],
    ['/console/p/1/requests?range=7d', '/console/p/1/requests?range=7d'],
    ['/console/a#access_token=x', '/console/a'],
    ['/console//evil.example', '/console//evil.example'],
  ])('returns %s as %s', (given, path) => {
    expect(toConsolePath(given)).toBe(path);
  });

  it.each([
    '/',
    '/consoles',
    '/api/v1/models',
    '//evil.example/console',
    '/\\evil.example/console',
    '/console/../api/v1/models',
    '/console/..//evil.example',
    '@evil.example/console',
    'https://evil.example/console',
    'console',
    '',
  ])('rejects %s', (given) => {
    expect(toConsolePath(given)).toBeUndefined();
  });
});

it('keeps path and query in withFragment and omits absent values', () => {
  expect(withFragment('http://localhost:1/a?b=c#old', { token: 'x&y', nonce: undefined })).toBe(
    'http://localhost:1/a?b=c#token=x%26y',
  );
});
