import { describe, expect, it } from '@jest/globals';
import { isTransientError } from './transient-error.js';

const withCode = (code: unknown) => Object.assign(new Error('failed'), { code });

describe('isTransientError', () => {
  it.each(['ECONNREFUSED', 'ETIMEDOUT', '08006', '57P01', '53300', '40P01', '40001', 'P1001', 14, 4])(
    'code %s is transient',
    (code) => {
      expect(isTransientError(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', 'P2002', '22P02', '42P01', '57', 'ENOENT', 3, 5])('code %s is not', (code) => {
    expect(isTransientError(withCode(code))).toBe(false);
  });

  it('looks at the cause', () => {
    expect(isTransientError(new Error('could not store', { cause: withCode('ECONNRESET') }))).toBe(true);
  });

  it('believes an error that says it is worth retrying', () => {
    expect(isTransientError(Object.assign(new Error('later'), { retryable: true }))).toBe(true);
    expect(isTransientError(Object.assign(new Error('never'), { retryable: false }))).toBe(false);
  });

  it.each([undefined, null, 'text', new Error('Timed out?')])('%p is not', (error) => {
    expect(isTransientError(error)).toBe(false);
  });
});
