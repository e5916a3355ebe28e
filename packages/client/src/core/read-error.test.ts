import { describe, expect, it } from '@jest/globals';
import { TollgateError } from './error.js';
import { readError, readErrorEvent } from './read-error.js';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readError(status, new Headers(headers), typeof body === 'string' ? body : JSON.stringify(body), 0);

describe('readError', () => {
  it('reads the native form', () => {
    const body = {
      ...{ error: 'api_error', code: 'WALLET_EMPTY', message: 'the wallet is empty', status_code: 402 },
      ...{ retryable: false, request_id: 'r-1', fields: [{ field: 'a', message: 'b' }] },
    };
    expect(read(402, body)).toMatchObject({
      ...{ name: 'TollgateError', code: 'WALLET_EMPTY', status: 402, requestId: 'r-1', retryable: false, body },
      ...{ message: 'the wallet is empty', fields: [{ field: 'a', message: 'b' }] },
    });
  });

  it('names the code and the status as text', () => {
    const texts = [read(402, { code: 'WALLET_EMPTY', message: 'empty' }), new TollgateError('TIMEOUT', 'no answer')];
    expect(texts.map(String)).toEqual([
      'TollgateError: empty (WALLET_EMPTY, 402)',
      'TollgateError: no answer (TIMEOUT)',
    ]);
  });

  it.each([
    ['simple', 404, { error: 'webhook not found' }, 'NOT_FOUND', 'webhook not found'],
    ['images', 400, { error: { code: 'invalid_input', message: 'no prompt' } }, 'INVALID_INPUT', 'no prompt'],
    ['OpenAI', 402, { error: { message: 'm', type: 't', code: 'WALLET_EMPTY', param: null } }, 'WALLET_EMPTY', 'm'],
    [
      'Anthropic',
      402,
      { type: 'error', error: { type: 'billing_error', message: 'm', details: { code: 'WALLET_EMPTY' } } },
      'WALLET_EMPTY',
      'm',
    ],
    ['device', 400, { error: 'slow_down', error_description: 'too often' }, 'slow_down', 'too often'],
    ['plain text', 429, 'rate limit exceeded', 'RATE_LIMIT', 'rate limit exceeded'],
    ['page of a proxy', 502, '<html>Bad Gateway</html>', 'INTERNAL_ERROR', 'HTTP 502'],
    ['empty', 503, '', 'SERVICE_UNAVAILABLE', 'HTTP 503'],
  ])('reads the %s form', (_name, status, body, code, message) => {
    expect(read(status, body)).toMatchObject({ code, message, status });
  });

  it.each([
    [429, {}, true],
    [500, {}, true],
    [400, {}, false],
    [409, { retryable: true }, true],
    [503, { error: 'api_error', code: 'HOOK_FAILED', retryable: false }, false],
  ])('decides whether %d with %j is retryable', (status, body, retryable) => {
    expect(read(status, body).retryable).toBe(retryable);
  });

  it('follows x-should-retry where the body does not say', () => {
    expect(read(500, {}, { 'x-should-retry': 'false' }).retryable).toBe(false);
    expect(read(409, {}, { 'x-should-retry': 'true' }).retryable).toBe(true);
  });

  it.each([
    ['7', 7],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 60],
    ['soon', undefined],
  ])('reads Retry-After: %s', (value, seconds) => {
    expect(read(429, '', { 'retry-after': value }).retryAfterSeconds).toBe(seconds);
  });

  it('takes the request id from the header when the body has none', () => {
    expect(read(429, '', { 'x-service-request-id': 'r-2' }).requestId).toBe('r-2');
  });
});

describe('readErrorEvent', () => {
  it.each([
    [
      { type: 'error', code: 'PROVIDER_ERROR', message: 'm', status: 500, retryable: true, request_id: 'r' },
      'PROVIDER_ERROR',
    ],
    [{ error: { message: 'm', code: 'WALLET_EMPTY' } }, 'WALLET_EMPTY'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'm' } }, 'overloaded_error'],
  ])('reads %j', (event, code) => {
    expect(readErrorEvent(event, new Headers())).toMatchObject({ code, message: 'm' });
  });

  it.each([{ type: 'node_failed', error: { code: 'X', message: 'm' } }, { type: 'update' }, 'text', null])(
    'returns undefined for %j',
    (event) => {
      expect(readErrorEvent(event, new Headers())).toBeUndefined();
    },
  );
});
