import { expect, it } from '@jest/globals';
import { makeUserCode, normalUserCode } from './device-code.js';

it('reads user codes in any case, with and without dash', () => {
  const code = makeUserCode((below) => below - 1);
  expect(code).toBe('ZZZZ-ZZZZ');
  for (const typed of ['ZZZZ-ZZZZ', 'zzzzzzzz', ' zzzz zzzz ']) expect(normalUserCode(typed)).toBe(code);
});
