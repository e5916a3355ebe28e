import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode, errorCatalog, refusalCodes } from '@tollgate/errors';
import type { ErrorShape } from '../paths.js';
import { renderError } from './render-error.js';

const codes = Object.keys(errorCatalog) as ErrorCode[];
const shapes: ErrorShape[] = ['native', 'simple', 'images', 'openai', 'anthropic', 'google'];
const required = ['error', 'code', 'message', 'layer', 'cause', 'status_code', 'retryable'];
const render = (thrown: unknown, shape: ErrorShape = 'native', audience?: 'customer') => {
  const { body, ...rest } = renderError(thrown, shape, 'req-1', audience && { audience });
  return {
    ...rest,
    text: body,
    body: rest.headers['Content-Type']?.startsWith('application/json') && JSON.parse(body),
  };
};

describe.each(codes)('%s', (code) => {
  it('has every required field of the native envelope', () => {
    if (code === 'RATE_LIMIT') return;
    const { body } = render(new AppError(code, 'the reason'));
    for (const field of required) expect(body).toHaveProperty(field);
    expect(body).toMatchObject({ error: 'api_error', code, message: 'the reason', request_id: 'req-1' });
  });

  it.each(shapes)('answers with an error status other than 502 and 504 in the shape %s', (shape) => {
    for (const upstreamStatus of [undefined, 400, 429, 500, 502, 503, 504]) {
      const { status } = render(new AppError(code, 'x', upstreamStatus === undefined ? {} : { upstreamStatus }), shape);
      expect([502, 504]).not.toContain(status);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });

  it('hides the owner’s finances from a customer', () => {
    const { body, text } = render(new AppError(code, 'the owner is broke'), 'native', 'customer');
    const ownerSide = ['PROVIDER_ACCOUNT_UNFUNDED', 'FREE_CREDIT_DAILY_CAP', 'ACCOUNT_QUOTA_EXCEEDED'];
    if (![...ownerSide, 'API_KEY_SPEND_LIMIT_REACHED', 'UPSTREAM_PAYMENT_REQUIRED'].includes(code)) return;
    expect(text).not.toContain('broke');
    expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status_code: 503, retryable: true });
  });
});

describe('native', () => {
  it('answers the rate limit in plain text with Retry-After', () => {
    const { status, text, headers } = render(new AppError('RATE_LIMIT', 'x', { retryAfterSeconds: 7 }));
    expect({ status, text }).toEqual({ status: 429, text: 'rate limit exceeded' });
    expect(headers).toMatchObject({ 'Retry-After': '7', 'Content-Type': expect.stringContaining('text/plain') });
  });

  it('sends a provider’s error as 500 and its timeout as 503, with the original status in body and header', () => {
    const failed = render(new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 429 }));
    expect(failed).toMatchObject({ status: 500, headers: { 'X-Service-Upstream-Status': '429' } });
    expect(failed.body).toMatchObject({ status_code: 429, retryable: true });
    const silent = render(new AppError('PROVIDER_TIMEOUT', 'x'));
    expect(silent).toMatchObject({ status: 503, headers: { 'X-Service-Upstream-Status': '504' } });
    expect(silent.body.status_code).toBe(504);
  });

  it('hides errors that are not part of the contract', () => {
    const { status, body, text } = render(new Error('password=hunter2'));
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR', message: 'internal error' });
    expect(text).not.toContain('hunter2');
  });

  it('lists invalid fields', () => {
    const fields = [{ field: 'email', message: 'required' }];
    expect(render(new AppError('VALIDATION_ERROR', 'x', { fields })).body.fields).toEqual(fields);
  });
});

describe('billing refusals', () => {
  it.each(refusalCodes)('answers 402 with the code %s to the project', (code) => {
    expect(render(new AppError(code, 'x'))).toMatchObject({ status: 402, body: { code } });
  });

  it.each(['SERVICE_UNAVAILABLE', 'RELAY_TIMEOUT', 'PROVIDER_TIMEOUT'] as const)(
    'sends %s as 503 with Retry-After, unless a repeat is of no use',
    (code) => {
      expect(render(new AppError(code, 'x'))).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
      expect(render(new AppError(code, 'x', { retryAfterSeconds: 9 })).headers['Retry-After']).toBe('9');
      expect(render(new AppError(code, 'x', { retryable: false })).headers['Retry-After']).toBeUndefined();
    },
  );

  it('sends a customer 503 with Retry-After for a limit of the owner', () => {
    const { status, headers } = render(new AppError('PROVIDER_ACCOUNT_UNFUNDED', 'x'), 'native', 'customer');
    expect(status).toBe(503);
    expect(headers['Retry-After']).toBe('30');
  });
});

describe('other shapes', () => {
  it('renders an error in the shape simple as its message only', () => {
    expect(render(new AppError('NOT_FOUND', 'tool hook not found'), 'simple').body).toEqual({
      error: 'tool hook not found',
    });
  });

  it('replaces the message of credential errors and of internal errors with a fixed text in the shape simple', () => {
    expect(render(new AppError('UNAUTHORIZED', 'credentials required'), 'simple').body).toEqual({
      error: 'unauthorized',
    });
    expect(render(new Error('a detail'), 'simple').body).toEqual({ error: 'internal server error' });
  });

  it('wraps validation errors and renders other errors natively in the shape images', () => {
    expect(render(new AppError('VALIDATION_ERROR', 'model is required'), 'images').body).toEqual({
      error: { code: 'invalid_input', message: 'model is required' },
    });
    expect(render(new AppError('UNAUTHORIZED', 'x'), 'images').body).toMatchObject({ error: 'api_error' });
  });

  it.each([
    ['RATE_LIMIT', 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['UNAUTHORIZED', 401, 'authentication_error', 'invalid_api_key'],
    ['FORBIDDEN', 403, 'permission_error', 'FORBIDDEN'],
    ['INVALID_INPUT', 400, 'invalid_request_error', 'INVALID_INPUT'],
    ['WALLET_EMPTY', 402, 'insufficient_quota', 'WALLET_EMPTY'],
    ['INTERNAL_ERROR', 500, 'server_error', 'INTERNAL_ERROR'],
  ] as const)('renders %s as the OpenAI libraries expect', (code, status, type, vendorCode) => {
    const rendered = render(new AppError(code, 'why'), 'openai');
    expect(rendered.status).toBe(status);
    expect(rendered.body).toEqual({ error: { message: 'why', type, param: null, code: vendorCode } });
  });

  it.each([
    ['UNAUTHORIZED', 401, 'authentication_error'],
    ['NOT_FOUND', 404, 'not_found_error'],
    ['PAYLOAD_TOO_LARGE', 413, 'request_too_large'],
    ['RATE_LIMIT', 429, 'rate_limit_error'],
    ['SERVICE_UNAVAILABLE', 503, 'overloaded_error'],
    ['INTERNAL_ERROR', 500, 'api_error'],
  ] as const)('renders %s as the Anthropic libraries expect', (code, status, type) => {
    const rendered = render(new AppError(code, 'why'), 'anthropic');
    expect(rendered.status).toBe(status);
    expect(rendered.body).toEqual({ type: 'error', error: { type, message: 'why' }, request_id: 'req-1' });
  });

  it.each(['openai', 'anthropic'] as const)(
    'forwards a provider’s rate limit as a retryable 429 in the shape %s',
    (shape) => {
      const { status, headers } = render(new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 429 }), shape);
      expect(status).toBe(429);
      expect(headers['X-Should-Retry']).toBe('true');
    },
  );
});
