import { expect, it } from '@jest/globals';
import { toOneSegment } from './google-path.js';

it.each([
  ['/v1beta/models/sandbox/echo-1:generateContent?alt=sse', '/v1beta/models/sandbox%2Fecho-1:generateContent?alt=sse'],
  ['/v1beta/models/a/b/', '/v1beta/models/a%2Fb'],
  ['/v1beta/models/m:countTokens?x=/y/', '/v1beta/models/m:countTokens?x=/y/'],
  ['/v1beta/models', '/v1beta/models'],
  ['/v1/models/a/b', '/v1/models/a/b'],
])('maps %s to %s', (url, expected) => {
  expect(toOneSegment(url)).toBe(expected);
});
