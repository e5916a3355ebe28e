import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { whenSupported } from './when-supported.js';

describe('whenSupported', () => {
  it('makes a missing method an error that callers may repeat', async () => {
    const unimplemented = new AppError('INTERNAL_ERROR', 'internal error', {
      cause: Object.assign(new Error('unimplemented'), { code: 12 }),
    });
    const missing = { code: 'SERVICE_UNAVAILABLE', retryable: true };
    await expect(whenSupported(Promise.reject(unimplemented))).rejects.toMatchObject(missing);
  });

  it('passes other errors and answers on', async () => {
    const error = new AppError('INTERNAL_ERROR', 'internal error');
    await expect(whenSupported(Promise.reject(error))).rejects.toBe(error);
    expect(await whenSupported(Promise.resolve(1))).toBe(1);
  });
});
