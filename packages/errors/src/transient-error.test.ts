import { describe, expect, it } from '@jest/globals';
import { isTransientError } from './transient-error.js';

const withCode = (code: unknown) => Object.assign(new Error('failed'), { code });

describe('isTransientError', () => {
  it.each(['ECONNREFUSED', 'ETIMEDOUT', '08006', '57P01', '53300', '25006', '40P01', '40001', 'P1001', 14, 4])(
    'treats code %s as transient',
    (code) => {
      expect(isTransientError(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', 'P2002', '22P02', '42P01', '57', 'ENOENT', 3, 5])('does not treat code %s as transient', (code) => {
    expect(isTransientError(withCode(code))).toBe(false);
  });

  it.each([
    ['P2039', { originalCode: '57P01', kind: 'postgres' }],
    ['P2039', { originalCode: '57P03', kind: 'postgres' }],
    ['P2039', { originalCode: '25006', kind: 'postgres' }],
    ['P2037', { originalCode: '53300', kind: 'TooManyConnections' }],
    ['P2010', { kind: 'ConnectionClosed' }],
    ['P2010', { kind: 'DatabaseNotReachable' }],
    ['P2010', { kind: 'SocketTimeout' }],
  ])('reads the driver error inside a Prisma error: %s with %j is transient', (code, cause) => {
    const error = Object.assign(new Error('failed'), { code, meta: { driverAdapterError: { cause } } });
    expect(isTransientError(error)).toBe(true);
  });

  it('does not treat every Prisma error with a driver error as transient', () => {
    const meta = { driverAdapterError: { cause: { originalCode: '23505', kind: 'UniqueConstraintViolation' } } };
    expect(isTransientError(Object.assign(new Error('failed'), { code: 'P2002', meta }))).toBe(false);
  });

  it.each(['Client was closed and is not queryable', 'Query read timeout', 'timeout expired'])(
    'reads the driver message %j',
    (message) => {
      expect(isTransientError(new Error(message))).toBe(true);
    },
  );

  it('follows the cause', () => {
    expect(isTransientError(new Error('could not store', { cause: withCode('ECONNRESET') }))).toBe(true);
  });

  it('trusts the retryable field of an error', () => {
    expect(isTransientError(Object.assign(new Error('later'), { retryable: true }))).toBe(true);
    expect(isTransientError(Object.assign(new Error('never'), { retryable: false }))).toBe(false);
  });

  it.each([undefined, null, 'text', new Error('Timed out?')])('does not treat %p as transient', (error) => {
    expect(isTransientError(error)).toBe(false);
  });
});
