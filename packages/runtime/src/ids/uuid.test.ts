import { expect, it } from '@jest/globals';
import { isLowerCaseUuid, isUuid } from './uuid.js';

const ID = '0198f3a0-7c4e-7b1d-9f00-0123456789ab';

it('accepts a UUID of any version and case', () => {
  expect([ID, ID.toUpperCase(), '00000000-0000-0000-0000-000000000000'].map(isUuid)).toEqual([true, true, true]);
});

it.each(['', 'x', ID.slice(1), `${ID} `, `${ID}\n`, ID.replaceAll('-', ''), `{${ID}}`, ID.replace('0', 'g')])(
  'rejects %j',
  (text) => {
    expect(isUuid(text)).toBe(false);
    expect(isLowerCaseUuid(text)).toBe(false);
  },
);

it('accepts only lower case where ids are compared as text', () => {
  expect([ID, ID.toUpperCase()].map(isLowerCaseUuid)).toEqual([true, false]);
});
