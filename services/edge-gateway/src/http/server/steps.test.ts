import { describe, expect, it } from '@jest/globals';
import { toGoogleUrl } from './steps.js';

it.each([
  ['/v1beta/models/sandbox/echo-1:generateContent?alt=sse', '/v1beta/models/sandbox%2Fecho-1:generateContent?alt=sse'],
  ['/v1beta/models/a/b/', '/v1beta/models/a%2Fb'],
  ['/v1beta/models/m:countTokens?x=/y/', '/v1beta/models/m:countTokens?x=/y/'],
  ['/v1beta/models', '/v1beta/models'],
  ['/v1/models/a/b', '/v1/models/a/b'],
])('maps %s to %s', (url, expected) => {
  expect(toGoogleUrl({ method: 'GET', url, headers: {} })).toBe(expected);
});

it.each([
  ['/v1beta/sandbox/echo-1:generateContent', '/v1beta/models/sandbox%2Fecho-1:generateContent'],
  [
    '/v1beta/sandbox/echo-1:streamGenerateContent?alt=sse',
    '/v1beta/models/sandbox%2Fecho-1:streamGenerateContent?alt=sse',
  ],
  ['/v1/sandbox/echo-1:countTokens', '/v1beta/models/sandbox%2Fecho-1:countTokens'],
  ['/v1beta/a/b/c:embedContent/', '/v1beta/models/a%2Fb%2Fc:embedContent'],
  ['/v1beta/echo-1:generateContent', '/v1beta/echo-1:generateContent'],
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat/completions?a=b:c', '/v1/chat/completions?a=b:c'],
])('adds the collection that a library left out: %s', (url, expected) => {
  expect(toGoogleUrl({ method: 'POST', url, headers: {} })).toBe(expected);
});

describe('the paths of version 3 of the library', () => {
  it.each([
    ['/v1/models?pageSize=2', '/v1beta/models?pageSize=2'],
    ['/v1/models', '/v1beta/models'],
    ['/v1/models/sandbox/echo-1', '/v1beta/models/sandbox%2Fecho-1'],
    ['/v1/modelsx', '/v1/modelsx'],
    ['/v1/messages', '/v1/messages'],
  ])('maps %s to %s for a client of the vendor', (url, expected) => {
    for (const name of ['x-goog-api-key', 'x-goog-api-client']) {
      expect(toGoogleUrl({ method: 'GET', url, headers: { [name]: 'x' } })).toBe(expected);
    }
    expect(toGoogleUrl({ method: 'GET', url, headers: {} })).toBe(url);
  });

  it('recognizes a method of a model without a header', () => {
    const url = '/v1/models/a/b:generateContent';
    expect(toGoogleUrl({ method: 'POST', url, headers: {} })).toBe('/v1beta/models/a%2Fb:generateContent');
    expect(toGoogleUrl({ method: 'GET', url, headers: {} })).toBe(url);
  });
});
