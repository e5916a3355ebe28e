import { describe, expect, it } from '@jest/globals';
import { toReason, Unhealthy } from './reason.js';

const withCode = (code: unknown, message = 'secret-user at postgres://u:p@db') =>
  Object.assign(new Error(message), { code });

describe('toReason', () => {
  it.each([
    ['connection refused', withCode('ECONNREFUSED')],
    ['connection refused', new Error('14 UNAVAILABLE: Last error: connect ECONNREFUSED 10.0.0.1:50051')],
    ['host name not found', withCode('ENOTFOUND')],
    ['host name not found', new Error('14 UNAVAILABLE: Name resolution failed for target dns:ledger:50051')],
    ['no answer', withCode('ETIMEDOUT')],
    ['no answer', new Error('4 DEADLINE_EXCEEDED: Deadline exceeded after 1.5s')],
    ['connection lost', withCode('08006')],
    ['credentials rejected', withCode('28P01')],
    ['credentials rejected', new Error('WRONGPASS invalid username-password pair')],
    ['the database does not exist', withCode('3D000')],
    ['starting up or shutting down', withCode('57P03')],
    ['the database is read-only', withCode('25006')],
    ['read-only', new Error("READONLY You can't write against a read only replica.")],
    [
      'it accepts no writes: out of memory or disk space',
      new Error("OOM command not allowed when used memory > 'maxmemory'."),
    ],
    ['this process has no file descriptors left', withCode('EMFILE')],
    ['not reachable', withCode(14)],
    ['the writer is down', new Unhealthy('the writer is down')],
    ['connection refused', new Error('retries exceeded', { cause: withCode('ECONNREFUSED') })],
  ])('returns “%s”', (reason, error) => {
    expect(toReason(error)).toBe(reason);
  });

  it.each([withCode('XX000'), new Error('password of secret-user'), 'text', undefined])(
    'hides the text of %p',
    (error) => {
      expect(toReason(error)).toBe('failed');
    },
  );
});
