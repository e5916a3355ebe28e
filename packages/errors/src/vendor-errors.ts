import type { AppError, VendorError } from './app-error.js';
import { wireStatus } from './wire-status.js';

/** The error object of OpenAI's API, as its client libraries read it. */
export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

/** The error body of Anthropic's API, as its client libraries read it. */
export interface AnthropicErrorBody {
  type: 'error';
  error: { type: string; message: string; details?: AnthropicDetails };
  request_id: string;
}

/** The error body of Google's API, as its client libraries read it. Source: google.rpc.Status. */
export interface GoogleErrorBody {
  error: { code: number; message: string; status: string; details: Record<string, unknown>[] };
}

/** `code` is Tollgate's, for errors without an Anthropic equivalent; `error_code` is a value that Anthropic's library knows. */
type AnthropicDetails = { code: string } | { error_code: string };

/** Longest wait that a client library is asked for: OpenAI's ignores a longer one, Anthropic's waits for all of it. */
const RETRY_AFTER_SECONDS_MAX = 59;
const RETRY_AFTER_SECONDS_DEFAULT = 1;

/** Statuses by which a provider refuses the request itself. */
const CLIENT_FAULTS = new Set([400, 404, 413, 422]);
/** Statuses of a provider that client libraries branch on. */
const PASSED_STATUSES = new Set([...CLIENT_FAULTS, 429, 529]);

/** Wire status of a compatible endpoint: a provider's own where client libraries branch on it, else as on native ones. */
export function vendorStatus(error: AppError): number {
  const { code, upstreamStatus = 0 } = error;
  return code === 'PROVIDER_ERROR' && PASSED_STATUSES.has(upstreamStatus) ? upstreamStatus : wireStatus(error);
}

/**
 * Instructs the client's library of a compatible endpoint whether to retry. Both vendors' libraries repeat 408, 409, 429
 * and every 5xx by default.
 */
export function vendorRetryHeaders(error: AppError): Record<string, string> {
  const status = vendorStatus(error);
  const isRepeatedByItself = status === 408 || status === 409 || status === 429 || status >= 500;
  if (!isRepeatedByItself) return {};
  if (!error.retryable) return { 'X-Should-Retry': 'false' };
  const seconds = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT;
  return { 'X-Should-Retry': 'true', 'Retry-After': String(Math.min(seconds, RETRY_AFTER_SECONDS_MAX)) };
}

/**
 * Converts the error to OpenAI's form; `code` is a value that its libraries and their users check for, otherwise
 * Tollgate's.
 */
export function toOpenAiError(error: AppError): OpenAiError {
  return {
    message: toMessage(error),
    type: ownWords(error, 'openai')?.type ?? openAiType(vendorStatus(error)),
    param: ownWords(error, 'openai')?.param ?? error.fields?.[0]?.field ?? null,
    code: openAiCode(error),
  };
}

/** Converts the error to Anthropic's form. */
export function toAnthropicError(error: AppError, requestId: string): AnthropicErrorBody {
  const details = toAnthropicDetails(error);
  return {
    type: 'error',
    error: { type: anthropicType(error), message: toMessage(error), ...(details ? { details } : {}) },
    request_id: requestId,
  };
}

/** Converts the error to Google's form. The reason of its `ErrorInfo` is Tollgate's code. */
export function toGoogleError(error: AppError): GoogleErrorBody {
  const code = vendorStatus(error);
  const details: Record<string, unknown>[] = [
    { '@type': `${RPC_TYPES}ErrorInfo`, reason: error.code, domain: 'tollgate', metadata: {} },
  ];
  if (error.fields && error.fields.length > 0) {
    const fieldViolations = error.fields.map(({ field, message }) => ({ field, description: message }));
    details.push({ '@type': `${RPC_TYPES}BadRequest`, fieldViolations });
  }
  const retryAfter = vendorRetryHeaders(error)['Retry-After'];
  if (retryAfter !== undefined) details.push({ '@type': `${RPC_TYPES}RetryInfo`, retryDelay: `${retryAfter}s` });
  return { error: { code, message: toMessage(error), status: googleStatus(code), details } };
}

const RPC_TYPES = 'type.googleapis.com/google.rpc.';

function googleStatus(status: number): string {
  return googleStatuses[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

/** Source: google.rpc.Code and ai.google.dev/gemini-api/docs/troubleshooting; Google has no 402. */
const googleStatuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  529: 'UNAVAILABLE',
};

/** These shapes have no field for the provider's message, which says why it rejected the request. */
function toMessage({ message, detail }: AppError): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}

/** Only for faults of the request: a vendor's message about our key or its own state must not reach the client. */
function ownWords(error: AppError, shape: VendorError['shape']): VendorError | undefined {
  const { vendorError } = error;
  return vendorError?.shape === shape && CLIENT_FAULTS.has(vendorStatus(error)) ? vendorError : undefined;
}

function openAiType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function openAiCode(error: AppError): string | null {
  const own = ownWords(error, 'openai');
  // A vendor's error of its own dialect may have no code.
  if (own) return own.code ?? null;
  if (vendorStatus(error) === 429) return 'rate_limit_exceeded';
  if (error.code === 'UNAUTHORIZED') return 'invalid_api_key';
  if (error.code === 'NOT_FOUND' && error.fields?.[0]?.field === 'model') return 'model_not_found';
  return error.code;
}

function anthropicType(error: AppError): string {
  const status = vendorStatus(error);
  const own = ownWords(error, 'anthropic')?.type;
  if (own !== undefined) return own;
  if (status >= 500 && error.causeKind === 'timeout') return 'timeout_error';
  return anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/**
 * The library lets the server store the conversation of its tool runner, and continues without that only after this error.
 * Source: ThreadUnsupportedRequestErrorDetails of `@anthropic-ai/sdk` 1.11.
 */
function toAnthropicDetails(error: AppError): AnthropicDetails | undefined {
  // Which limit refuses: its type is `billing_error` for all of them.
  if (vendorStatus(error) === 402) return { code: error.code };
  const isThread = error.fields?.some(({ field }) => field === 'thread');
  return isThread ? { error_code: 'thread_unsupported_request' } : undefined;
}

/** Source: the list of errors in Anthropic's API documentation and `ErrorType` of its client library 1.11. */
const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  529: 'overloaded_error',
};
