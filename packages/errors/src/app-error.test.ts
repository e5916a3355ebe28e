import { describe, expect, it } from '@jest/globals';
import { AppError, type AppErrorOptions, asAppError, isAppError } from './app-error.js';
import type { ErrorCode } from './catalog.js';
import { assertNever, InvariantError, invariant } from './invariant.js';
import { upstreamStatusHeader, wireStatus } from './wire-status.js';

interface UpstreamRow {
  name: string;
  code: ErrorCode;
  options: AppErrorOptions;
  wire: number;
  body: number;
  header: string | undefined;
  retryable: boolean;
}

const upstreamRows: UpstreamRow[] = [
  {
    name: 'provider 429',
    code: 'PROVIDER_ERROR',
    options: { upstreamStatus: 429 },
    wire: 500,
    body: 429,
    header: '429',
    retryable: true,
  },
  {
    name: 'provider 500',
    code: 'PROVIDER_ERROR',
    options: { upstreamStatus: 500 },
    wire: 500,
    body: 500,
    header: '500',
    retryable: true,
  },
  {
    name: 'provider 502',
    code: 'PROVIDER_ERROR',
    options: { upstreamStatus: 502 },
    wire: 500,
    body: 502,
    header: '502',
    retryable: true,
  },
  {
    name: 'provider 504',
    code: 'PROVIDER_ERROR',
    options: { upstreamStatus: 504 },
    wire: 503,
    body: 504,
    header: '504',
    retryable: true,
  },
  {
    name: 'provider 400',
    code: 'PROVIDER_ERROR',
    options: { upstreamStatus: 400 },
    wire: 500,
    body: 400,
    header: '400',
    retryable: false,
  },
  {
    name: 'provider 401',
    code: 'PROVIDER_ERROR',
    options: { upstreamStatus: 401 },
    wire: 500,
    body: 401,
    header: '401',
    retryable: false,
  },
  {
    name: 'connection refused',
    code: 'PROVIDER_ERROR',
    options: { causeKind: 'transport' },
    wire: 500,
    body: 500,
    header: undefined,
    retryable: true,
  },
  {
    name: 'provider silent',
    code: 'PROVIDER_TIMEOUT',
    options: {},
    wire: 503,
    body: 504,
    header: '504',
    retryable: true,
  },
  {
    name: 'provider 402',
    code: 'UPSTREAM_PAYMENT_REQUIRED',
    options: { upstreamStatus: 402 },
    wire: 402,
    body: 402,
    header: '402',
    retryable: false,
  },
  {
    name: 'own deadline',
    code: 'RELAY_TIMEOUT',
    options: {},
    wire: 503,
    body: 503,
    header: undefined,
    retryable: true,
  },
  {
    name: 'explicit 502',
    code: 'INTERNAL_ERROR',
    options: { status: 502 },
    wire: 500,
    body: 502,
    header: undefined,
    retryable: true,
  },
];

describe('AppError', () => {
  it.each(upstreamRows)('sends $name with $wire on the wire and $body in the body', (row) => {
    const error = new AppError(row.code, 'text', row.options);
    expect(wireStatus(error)).toBe(row.wire);
    expect(error.status).toBe(row.body);
    expect(upstreamStatusHeader(error)).toBe(row.header);
    expect(error.retryable).toBe(row.retryable);
  });

  it('sends no 502 or 504 on the wire for any upstream status', () => {
    for (const code of ['PROVIDER_ERROR', 'PROVIDER_TIMEOUT', 'RELAY_TIMEOUT', 'INTERNAL_ERROR'] as const) {
      for (const status of [undefined, 400, 429, 500, 502, 503, 504]) {
        const error = new AppError(code, 'text', { status, upstreamStatus: status });
        expect([502, 504]).not.toContain(wireStatus(error));
      }
    }
  });

  it('lets a single error override the catalog', () => {
    const error = new AppError('HOOK_FAILED', 'hook unreachable', {
      retryable: true,
      layer: 'upstream',
      causeKind: 'transport',
    });
    expect(error).toMatchObject({
      retryable: true,
      layer: 'upstream',
      causeKind: 'transport',
      grpcStatus: 'UNAVAILABLE',
    });
  });

  it("attributes a provider's 429 to rate limiting", () => {
    expect(new AppError('PROVIDER_ERROR', 'slow down', { upstreamStatus: 429 }).causeKind).toBe('rate_limit');
  });

  it('recognizes an error that another copy of the package created', () => {
    const foreign = Object.assign(new Error('text'), { code: 'CONFLICT' });
    expect(isAppError(foreign)).toBe(false);
    Object.defineProperty(foreign, Symbol.for('@tollgate/errors/AppError'), { value: true });
    expect(isAppError(foreign)).toBe(true);
    expect([null, undefined, 'text', {}].map(isAppError)).toEqual([false, false, false, false]);
  });

  it('hides an unknown error and keeps it for the log', () => {
    const secret = new Error('password authentication failed for user "ledger"');
    const error = asAppError(secret);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'internal error' });
    expect(error.cause).toBe(secret);
    expect(JSON.stringify(error)).not.toContain('password');
    expect(asAppError(error)).toBe(error);
  });

  it('returns a retryable SERVICE_UNAVAILABLE when a database is unavailable', () => {
    const error = asAppError(Object.assign(new Error('connect to 10.0.0.7 failed'), { code: 'ECONNREFUSED' }));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    expect(JSON.stringify(error)).not.toContain('10.0.0.7');
  });
});

describe('invariants', () => {
  it('passes for a true condition and throws for a false one, not as a contract error', () => {
    expect(() => invariant(1 + 1 === 2, 'arithmetic')).not.toThrow();
    expect(() => invariant(0, 'amount must be positive')).toThrow(new InvariantError('amount must be positive'));
    expect(isAppError(new InvariantError('x'))).toBe(false);
  });

  it('names the unexpected value, including bigint and cyclic values', () => {
    const cyclic: Record<string, unknown> = { amount: 1n };
    cyclic.self = cyclic;
    expect(() => assertNever('paused' as never, 'status')).toThrow("unexpected status: 'paused'");
    expect(() => assertNever(cyclic as never)).toThrow(InvariantError);
  });
});
