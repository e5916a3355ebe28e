/** Why a request was not made or got no usable answer. */
export type FailureReason =
  /** The URL itself is not acceptable: scheme, userinfo, port, host name. */
  | 'invalid_url'
  /** The host is, or resolves to, an address that may not be called. */
  | 'blocked_address'
  | 'dns'
  | 'connect'
  /** The total deadline passed. */
  | 'timeout'
  /** Headers or body of the answer exceed their limits. */
  | 'too_large'
  /** The connection broke, or the answer is not HTTP. */
  | 'protocol'
  /** The caller's signal. */
  | 'canceled';

/** An answer of any status, 3xx included: redirects are never followed. */
export interface SafeFetchResponse {
  ok: true;
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** The body was cut at the limit (`oversize: 'truncate'`). */
  truncated: boolean;
  /** The address that answered. For logs, not for the user who supplied the URL. */
  remoteAddress: string;
}

/** No answer. `message` is safe to show to the user who supplied the URL: it names no address. */
export interface SafeFetchFailure {
  ok: false;
  reason: FailureReason;
  message: string;
  /** Whether the request may have reached the endpoint; false: it certainly has not, and can be repeated safely. */
  reached: boolean;
  /** For the log. */
  cause?: unknown;
}

/** The outcome of a request. */
export type SafeFetchResult = SafeFetchResponse | SafeFetchFailure;

/** Makes a failure. */
export function failure(
  reason: FailureReason,
  message: string,
  options: { reached?: boolean; cause?: unknown } = {},
): SafeFetchFailure {
  const { reached = false, cause } = options;
  return { ok: false, reason, message, reached, ...(cause === undefined ? {} : { cause }) };
}

/** Carries a failure through an interface that only knows errors. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: SafeFetchFailure;

  constructor(failed: SafeFetchFailure) {
    super(failed.message);
    this.failure = failed;
  }
}

/** Returns the failure for an error of the HTTP client. */
export function toFailure(error: unknown, reached: boolean): SafeFetchFailure {
  if (error instanceof FailureError) return { ...error.failure, reached: error.failure.reached || reached };
  const code = readCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return failure('too_large', 'the answer has too many headers', { reached, cause: error });
  if (reached) return failure('protocol', describeBreak(error), { reached, cause: error });
  return failure('connect', describeConnect(code), { reached, cause: error });
}

function readCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function describeBreak(error: unknown): string {
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  return isParserError ? 'the answer is not valid HTTP' : 'the connection broke before the answer was complete';
}

function describeConnect(code: string): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connecting took too long';
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO|SSL|TLS/.test(code)) return `TLS failed (${code})`;
  return 'could not connect';
}
