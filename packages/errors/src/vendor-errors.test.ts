import { describe, expect, it } from '@jest/globals';
import { AppError, type AppErrorOptions } from './app-error.js';
import type { ErrorCode } from './catalog.js';
import { toAnthropicError, toGoogleError, toOpenAiError, vendorRetryHeaders, vendorStatus } from './vendor-errors.js';

type Row = [code: ErrorCode, options: AppErrorOptions, status: number, openAi: string, anthropic: string];

describe('vendorStatus and the vendors’ types', () => {
  it.each<Row>([
    ['VALIDATION_ERROR', {}, 400, 'invalid_request_error', 'invalid_request_error'],
    ['UNAUTHORIZED', {}, 401, 'authentication_error', 'authentication_error'],
    ['WALLET_EMPTY', {}, 402, 'insufficient_quota', 'billing_error'],
    ['FORBIDDEN', {}, 403, 'permission_error', 'permission_error'],
    ['NOT_FOUND', {}, 404, 'invalid_request_error', 'not_found_error'],
    ['CONFLICT', {}, 409, 'invalid_request_error', 'conflict_error'],
    ['PAYLOAD_TOO_LARGE', {}, 413, 'invalid_request_error', 'request_too_large'],
    ['RATE_LIMIT', {}, 429, 'rate_limit_error', 'rate_limit_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 429 }, 429, 'rate_limit_error', 'rate_limit_error'],
    // OpenAI also refuses an account without funds with 429.
    ['UPSTREAM_PAYMENT_REQUIRED', { upstreamStatus: 429 }, 402, 'insufficient_quota', 'billing_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 400 }, 400, 'invalid_request_error', 'invalid_request_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 404 }, 404, 'invalid_request_error', 'not_found_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 413 }, 413, 'invalid_request_error', 'request_too_large'],
    ['PROVIDER_ERROR', { upstreamStatus: 422 }, 422, 'invalid_request_error', 'invalid_request_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 529 }, 529, 'server_error', 'overloaded_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 401 }, 500, 'server_error', 'api_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 403 }, 500, 'server_error', 'api_error'],
    ['PROVIDER_ERROR', { upstreamStatus: 502 }, 500, 'server_error', 'api_error'],
    ['INTERNAL_ERROR', {}, 500, 'server_error', 'api_error'],
    ['SERVICE_UNAVAILABLE', {}, 503, 'server_error', 'overloaded_error'],
    ['PROVIDER_TIMEOUT', {}, 503, 'server_error', 'timeout_error'],
    ['RELAY_TIMEOUT', {}, 503, 'server_error', 'timeout_error'],
  ])('sends %s %j as %i, OpenAI type %s and Anthropic type %s', (code, options, status, openAi, anthropic) => {
    const error = new AppError(code, 'why', options);
    expect(vendorStatus(error)).toBe(status);
    expect(toOpenAiError(error)).toMatchObject({ message: 'why', type: openAi });
    expect(toAnthropicError(error, 'req-1')).toEqual({
      type: 'error',
      error: { type: anthropic, message: 'why', ...(status === 402 && { details: { code } }) },
      request_id: 'req-1',
    });
  });

  it.each<ErrorCode>(['WALLET_EMPTY', 'SUBSCRIPTION_INACTIVE', 'PAYMENT_REQUIRED'])(
    'shows which limit refuses: %s',
    (code) => {
      const error = new AppError(code, 'no funds');
      expect(toOpenAiError(error).code).toBe(code);
      expect(toAnthropicError(error, 'req-1').error.details).toEqual({ code });
    },
  );

  it("includes the provider's message as far as it is safe to show", () => {
    const error = new AppError('PROVIDER_ERROR', 'openai answered with an error', {
      upstreamStatus: 400,
      detail: 'seed must be an integer',
    });
    const message = 'openai answered with an error: seed must be an integer';
    expect(toOpenAiError(error).message).toBe(message);
    expect(toAnthropicError(error, 'req-1').error.message).toBe(message);
  });

  it('passes a vendor’s own type, code and param on in its dialect, and only there', () => {
    const vendorError = { shape: 'openai', type: 'bad_value', code: 'integer_below_min_value', param: 'n' } as const;
    const error = new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 400, vendorError });
    const { shape: _shape, ...own } = vendorError;
    expect(toOpenAiError(error)).toEqual({ message: 'x', ...own });
    expect(toAnthropicError(error, 'req-1').error).toEqual({ type: 'invalid_request_error', message: 'x' });
    const limited = new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 429, vendorError });
    expect(toOpenAiError(limited)).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    const keyError = { shape: 'openai', type: 'invalid_request_error', code: 'invalid_api_key' } as const;
    const refused = new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 401, vendorError: keyError });
    expect(toOpenAiError(refused)).toMatchObject({ type: 'server_error', code: 'PROVIDER_ERROR' });
    const bare = new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 400, vendorError: { shape: 'openai' } });
    expect(toOpenAiError(bare)).toMatchObject({ type: 'invalid_request_error', code: null, param: null });
    const other = { shape: 'anthropic', type: 'not_found_error' } as const;
    const missing = new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 404, vendorError: other });
    expect(toAnthropicError(missing, 'req-1').error.type).toBe('not_found_error');
    expect(toOpenAiError(missing)).toMatchObject({ type: 'invalid_request_error', code: 'PROVIDER_ERROR' });
  });

  it('sends the error by which Anthropic’s library stops storing conversations', () => {
    const fields = [{ field: 'thread', message: 'not kept' }];
    expect(toAnthropicError(new AppError('VALIDATION_ERROR', 'x', { fields }), 'req-1').error).toEqual({
      type: 'invalid_request_error',
      message: 'x',
      details: { error_code: 'thread_unsupported_request' },
    });
  });

  it('gives OpenAI’s users the codes they look for and the field at fault', () => {
    const fields = [{ field: 'model', message: 'unknown' }];
    expect(toOpenAiError(new AppError('NOT_FOUND', 'x', { fields }))).toMatchObject({
      code: 'model_not_found',
      param: 'model',
    });
    expect(toOpenAiError(new AppError('UNAUTHORIZED', 'x'))).toMatchObject({ code: 'invalid_api_key', param: null });
    expect(toOpenAiError(new AppError('RATE_LIMIT', 'x')).code).toBe('rate_limit_exceeded');
  });
});

describe('toGoogleError', () => {
  it.each<[ErrorCode, AppErrorOptions, number, string]>([
    ['VALIDATION_ERROR', {}, 400, 'INVALID_ARGUMENT'],
    ['UNAUTHORIZED', {}, 401, 'UNAUTHENTICATED'],
    ['WALLET_EMPTY', {}, 402, 'FAILED_PRECONDITION'],
    ['FORBIDDEN', {}, 403, 'PERMISSION_DENIED'],
    ['NOT_FOUND', {}, 404, 'NOT_FOUND'],
    ['METHOD_NOT_ALLOWED', {}, 405, 'UNIMPLEMENTED'],
    ['CONFLICT', {}, 409, 'ABORTED'],
    ['PAYLOAD_TOO_LARGE', {}, 413, 'INVALID_ARGUMENT'],
    ['PROVIDER_ERROR', { upstreamStatus: 422 }, 422, 'INVALID_ARGUMENT'],
    ['PROVIDER_ERROR', { upstreamStatus: 401 }, 500, 'INTERNAL'],
  ])('sends %s %j as %i %s with our code', (code, options, status, name) => {
    expect(toGoogleError(new AppError(code, 'why', options))).toEqual({
      error: {
        code: status,
        message: 'why',
        status: name,
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'tollgate', metadata: {} },
        ],
      },
    });
  });

  it.each<[ErrorCode, AppErrorOptions, string, string]>([
    ['RATE_LIMIT', { retryAfterSeconds: 7 }, 'RESOURCE_EXHAUSTED', '7s'],
    ['PROVIDER_ERROR', { upstreamStatus: 429 }, 'RESOURCE_EXHAUSTED', '1s'],
    ['SERVICE_UNAVAILABLE', {}, 'UNAVAILABLE', '1s'],
    ['PROVIDER_ERROR', { upstreamStatus: 529 }, 'UNAVAILABLE', '1s'],
  ])('reports when to repeat %s %j', (code, options, status, retryDelay) => {
    const { error } = toGoogleError(new AppError(code, 'x', options));
    expect(error.status).toBe(status);
    expect(error.details.at(-1)).toEqual({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
  });

  it('names the fields at fault', () => {
    const fields = [{ field: 'contents', message: 'is required' }];
    const { error } = toGoogleError(new AppError('VALIDATION_ERROR', 'x', { fields }));
    expect(error.details[1]).toEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'contents', description: 'is required' }],
    });
  });
});

describe('vendorRetryHeaders', () => {
  it.each<[ErrorCode, AppErrorOptions, Record<string, string>]>([
    ['RATE_LIMIT', { retryAfterSeconds: 7 }, { 'X-Should-Retry': 'true', 'Retry-After': '7' }],
    ['RATE_LIMIT', { retryAfterSeconds: 86_400 }, { 'X-Should-Retry': 'true', 'Retry-After': '59' }],
    ['SERVICE_UNAVAILABLE', {}, { 'X-Should-Retry': 'true', 'Retry-After': '1' }],
    ['SERVICE_UNAVAILABLE', { retryable: false }, { 'X-Should-Retry': 'false' }],
    ['PROVIDER_ERROR', { upstreamStatus: 401 }, { 'X-Should-Retry': 'false' }],
    ['PROVIDER_ERROR', { upstreamStatus: 400 }, {}],
    ['PROVIDER_ERROR', { upstreamStatus: 529 }, { 'X-Should-Retry': 'true', 'Retry-After': '1' }],
    ['CONFLICT', {}, { 'X-Should-Retry': 'false' }],
    ['WALLET_EMPTY', {}, {}],
    ['VALIDATION_ERROR', {}, {}],
  ])('derives from %s %j the headers %j', (code, options, headers) => {
    expect(vendorRetryHeaders(new AppError(code, 'x', options))).toEqual(headers);
  });
});
