import {
  type AppError,
  type Audience,
  asAppError,
  errorForAudience,
  lowerCaseAliases,
  toAnthropicError,
  toApiError,
  toGoogleError,
  toOpenAiError,
  upstreamStatusHeader,
  vendorRetryHeaders,
  vendorStatus,
  wireStatus,
} from '@tollgate/errors';
import { RATE_LIMIT_TEXT } from '../../limits/rate-limit.js';
import type { ErrorShape } from '../paths.js';

export interface RenderedError {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RenderOptions {
  /** Errors hide the owner's finances from customers. Default: project. */
  audience?: Audience;
}

/**
 * Renders an error as an answer; nothing else does. Anything but an AppError becomes a neutral 500, so log the original
 * first.
 */
export function renderError(
  thrown: unknown,
  shape: ErrorShape,
  requestId: string,
  options: RenderOptions = {},
): RenderedError {
  const error = errorForAudience(asAppError(thrown), options.audience ?? 'project');
  const headers = errorHeaders(error);
  if (isOwnRateLimit(error) && !isVendorShape(shape)) {
    return { status: 429, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: RATE_LIMIT_TEXT };
  }
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const status = isVendorShape(shape) ? vendorStatus(error) : wireStatus(error);
  if (isVendorShape(shape)) Object.assign(headers, vendorRetryHeaders(error));
  return { status, headers, body: JSON.stringify(bodies[shape](error, requestId)) };
}

const bodies: Record<ErrorShape, (error: AppError, requestId: string) => object> = {
  native: (error, requestId) => toApiError(error, { requestId }),
  simple: (error) => ({ error: fixedTexts[error.code] ?? error.message }),
  images: (error, requestId) =>
    isValidation(error)
      ? { error: { code: toLowerCaseCode(error), message: error.message } }
      : toApiError(error, { requestId }),
  openai: (error) => ({ error: toOpenAiError(error) }),
  anthropic: toAnthropicError,
  google: toGoogleError,
};

/** Fixed messages of the shape `simple`. */
const fixedTexts: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'unauthorized',
  INTERNAL_ERROR: 'internal server error',
};

/** For a 503 that may pass soon, such as a failover of the database. */
const RETRY_AFTER_SECONDS = 1;

function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    Link: `</docs/errors/${error.code}>; rel="help"`,
  };
  const upstream = upstreamStatusHeader(error);
  if (upstream !== undefined) headers['X-Service-Upstream-Status'] = upstream;
  const seconds =
    error.retryAfterSeconds ?? (wireStatus(error) === 503 && error.retryable ? RETRY_AFTER_SECONDS : undefined);
  if (seconds !== undefined) headers['Retry-After'] = String(seconds);
  return headers;
}

/** A provider's 429 is a PROVIDER_ERROR; RATE_LIMIT comes from Tollgate's own limiter. */
function isOwnRateLimit(error: AppError): boolean {
  return error.code === 'RATE_LIMIT';
}

function isVendorShape(shape: ErrorShape): boolean {
  return shape === 'openai' || shape === 'anthropic' || shape === 'google';
}

function isValidation(error: AppError): boolean {
  return error.causeKind === 'validation' && error.status === 400;
}

function toLowerCaseCode(error: AppError): string {
  if (error.code === 'VALIDATION_ERROR' || error.code === 'INVALID_INPUT') return 'invalid_input';
  const alias = Object.entries(lowerCaseAliases).find(([, code]) => code === error.code);
  return alias?.[0] ?? error.code.toLowerCase();
}
