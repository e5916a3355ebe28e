import { expect, it } from '@jest/globals';
import { readGooglePath } from './index.js';

it.each([
  ['/v1beta/models/m:generateContent', 'm', 'generateContent'],
  ['/v1beta/models/a%2Fb:streamGenerateContent', 'a/b', 'streamGenerateContent'],
  ['/v1beta/models/a:b:generateContent', 'a:b', 'generateContent'],
])('reads %s as model %s and method %s', (path, model, method) => {
  expect(readGooglePath(path)).toEqual({ pattern: `/v1beta/models/:model:${method}`, model });
});

it.each([
  '/v1beta/models',
  '/v1beta/models/m',
  '/v1beta/models/:generateContent',
  '/v1beta/models/%ZZ:x',
  '/v1/models/m:x',
])('reads no model from %s', (path) => {
  expect(readGooglePath(path)).toBeUndefined();
});
