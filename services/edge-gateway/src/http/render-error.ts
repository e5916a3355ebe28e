import {
  type AppError,
  type Audience,
  asAppError,
  errorForAudience,
  lowerCaseAliases,
  toApiError,
  upstreamStatusHeader,
  wireStatus,
} from '@tollgate/errors';
import { RATE_LIMIT_TEXT } from './rate-limit.js';
import type { ErrorShape } from './route.js';

export interface RenderedError {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RenderOptions {
  /** Customers must not learn of the owner's money. Default: project. */
  audience?: Audience;
}

/**
 * The one place where an error becomes an answer. Pure; anything that is no contract error becomes a neutral 500, so
 * log the original first.
 */
export function renderError(
  thrown: unknown,
  shape: ErrorShape,
  requestId: string,
  options: RenderOptions = {},
): RenderedError {
  const error = errorForAudience(asAppError(thrown), options.audience ?? 'project');
  const headers = headersOf(error);
  if (isOwnRateLimit(error) && !isVendorShape(shape)) {
    return { status: 429, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: RATE_LIMIT_TEXT };
  }
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const status = isVendorShape(shape) ? vendorStatus(error) : wireStatus(error);
  if (isVendorShape(shape) && isRetryHintStatus(status)) headers['X-Should-Retry'] = String(error.retryable);
  return { status, headers, body: JSON.stringify(bodies[shape](error, requestId)) };
}

const bodies: Record<ErrorShape, (error: AppError, requestId: string) => object> = {
  native: (error, requestId) => toApiError(error, { requestId }),
  simple: (error) => ({ error: error.message }),
  images: (error, requestId) =>
    isValidation(error)
      ? { error: { code: lowerCaseOf(error), message: error.message } }
      : toApiError(error, { requestId }),
  openai: (error) => ({
    error: {
      message: error.message,
      type: openAiType(error),
      param: error.fields?.[0]?.field ?? null,
      code: openAiCode(error),
    },
  }),
  anthropic: (error, requestId) => ({
    type: 'error',
    error: { type: anthropicType(error), message: error.message },
    request_id: requestId,
  }),
};

function headersOf(error: AppError): Record<string, string> {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  const upstream = upstreamStatusHeader(error);
  if (upstream !== undefined) headers['X-Service-Upstream-Status'] = upstream;
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  return headers;
}

/** A provider's 429 is a PROVIDER_ERROR; RATE_LIMIT is only ever our own limiter. */
function isOwnRateLimit(error: AppError): boolean {
  return error.code === 'RATE_LIMIT';
}

function isVendorShape(shape: ErrorShape): boolean {
  return shape === 'openai' || shape === 'anthropic';
}

/** Vendors' libraries know a provider's rate limit by its status; all else stays as on native endpoints. */
function vendorStatus(error: AppError): number {
  return error.upstreamStatus === 429 ? 429 : wireStatus(error);
}

function isRetryHintStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function isValidation(error: AppError): boolean {
  return error.causeKind === 'validation' && error.status === 400;
}

function lowerCaseOf(error: AppError): string {
  if (error.code === 'VALIDATION_ERROR' || error.code === 'INVALID_INPUT') return 'invalid_input';
  const alias = Object.entries(lowerCaseAliases).find(([, code]) => code === error.code);
  return alias?.[0] ?? error.code.toLowerCase();
}

function openAiType(error: AppError): string {
  const status = vendorStatus(error);
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** The codes that official client libraries and their users look for; ours otherwise. */
function openAiCode(error: AppError): string {
  if (error.code === 'RATE_LIMIT' || vendorStatus(error) === 429) return 'rate_limit_exceeded';
  if (error.code === 'UNAUTHORIZED') return 'invalid_api_key';
  if (error.code === 'NOT_FOUND' && error.fields?.[0]?.field === 'model') return 'model_not_found';
  return error.code;
}

function anthropicType(error: AppError): string {
  const status = vendorStatus(error);
  return anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};
