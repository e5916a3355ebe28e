import { type FieldProblem, TollgateError } from './error.js';

/** Codes for answers that carry none, such as those of a proxy in front of the service. */
const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMIT',
  503: 'SERVICE_UNAVAILABLE',
};

/** Codes of the image endpoint and of the vendors' error forms, and the code that every other endpoint has for them. */
const ALIASES: Readonly<Record<string, string>> = {
  bad_request: 'INVALID_INPUT',
  invalid_input: 'INVALID_INPUT',
  unauthorized: 'UNAUTHORIZED',
  payment_required: 'PAYMENT_REQUIRED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  internal_error: 'INTERNAL_ERROR',
};

const MESSAGE_LENGTH_MAX = 500;

type Json = Record<string, unknown>;

/** Reads every error form of the API: native, simple, images, OpenAI's, Anthropic's, device sign-in, and plain text. */
export function readError(status: number, headers: Headers, text: string, nowMs: number): TollgateError {
  const body = parseJson(text);
  const { code, message, retryable, requestId, fields } = readBody(isObject(body) ? body : {});
  const found = code ?? CODES[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'REQUEST_FAILED');
  return new TollgateError(ALIASES[found] ?? found, message ?? (toPlainText(text) || `HTTP ${status}`), {
    status,
    requestId: requestId ?? headers.get('x-service-request-id') ?? headers.get('request-id') ?? undefined,
    retryable: retryable ?? readShouldRetry(headers) ?? (status === 408 || status === 429 || status >= 500),
    retryAfterSeconds: readRetryAfter(headers, nowMs),
    fields,
    body: body ?? text,
  });
}

/** Reads the event that ends a broken stream. Returns undefined for any other event. */
export function readErrorEvent(event: unknown, headers: Headers): TollgateError | undefined {
  if (!isObject(event)) return undefined;
  const isError = event.type === 'error' || (event.type === undefined && isObject(event.error));
  if (!isError) return undefined;
  const { code, message, retryable, requestId } = readBody(event);
  const found = code ?? 'INTERNAL_ERROR';
  return new TollgateError(ALIASES[found] ?? found, message ?? 'the stream ended with an error', {
    status: typeof event.status === 'number' ? event.status : 200,
    requestId: requestId ?? headers.get('x-service-request-id') ?? undefined,
    retryable: retryable ?? false,
    body: event,
  });
}

interface ErrorParts {
  code?: string | undefined;
  message?: string | undefined;
  retryable?: boolean | undefined;
  requestId?: string | undefined;
  fields?: FieldProblem[] | undefined;
}

function readBody(body: Json): ErrorParts {
  const inner = isObject(body.error) ? body.error : undefined;
  const details = isObject(inner?.details) ? inner.details : undefined;
  const source = inner ?? body;
  const fields = Array.isArray(body.fields) ? (body.fields as FieldProblem[]) : undefined;
  const parts = { retryable: toBoolean(source.retryable), requestId: toText(body.request_id), fields };
  if (inner) {
    const code = toText(details?.code) ?? toText(inner.code) ?? toText(inner.type);
    return { ...parts, code, message: toText(inner.message) };
  }
  // `error` is a sentence in the simple form, a code in that of device sign-in, and a constant in the native form.
  const named = toText(body.error);
  const description = toText(body.error_description);
  if (toText(body.code) === undefined && named !== undefined) {
    return description === undefined ? { ...parts, message: named } : { ...parts, code: named, message: description };
  }
  return { ...parts, code: toText(body.code), message: toText(body.message) };
}

/** Seconds, or the time of a date. */
function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - nowMs) / 1000);
}

function readShouldRetry(headers: Headers): boolean | undefined {
  const value = headers.get('x-should-retry');
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A page of a proxy is no message. */
function toPlainText(text: string): string {
  return /^\s*[<{[]/.test(text) ? '' : text.trim().slice(0, MESSAGE_LENGTH_MAX);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
