import { expect, it } from '@jest/globals';
import { hasCode, QUERY_CANCELED, UNIQUE_VIOLATION } from './error-codes.js';

it.each([
  ['an error with the code', Object.assign(new Error('duplicate key'), { code: '23505' }), true],
  ['an error with another code', Object.assign(new Error('canceled'), { code: QUERY_CANCELED }), false],
  ['an error without a code', new Error('duplicate key'), false],
  ['no object', '23505', false],
  ['nothing', undefined, false],
])('recognizes the code of %s', (_what, error, expected) => {
  expect(hasCode(error, UNIQUE_VIOLATION)).toBe(expected);
});
