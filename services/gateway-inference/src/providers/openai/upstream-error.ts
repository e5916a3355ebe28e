import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api';
import { ProviderFailure } from '../../domain/provider-failure.js';
import { parseObject } from './chat-answer.js';

const DETAIL_CHARS_MAX = 500;
const RETRY_AFTER_SECONDS_MAX = 3_600;

/** OpenAI's codes and types for "this account has no money"; sent with 429 or 403. */
const paymentCodes = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_balance',
]);

interface WireError {
  message: string | undefined;
  code: string | undefined;
  type: string | undefined;
}

/**
 * An error answer → the failure. Shapes read: `{error: {message, type, param, code}}` (OpenAI, Ollama, newer vLLM),
 * `{code, error: "text"}` (xAI), `{object: "error", message, code}` (older vLLM), `{detail}` (FastAPI servers).
 */
export function toFailure(
  provider: ProviderId,
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
): ProviderFailure {
  const error = readError(parseObject(body));
  const isPayment = status === 402 || isPaymentError(status, error);
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status,
    detail: safeDetail(status, isPayment, error.message),
    providerRequestId: requestIdOf(headers),
    retryAfterSeconds: retryAfterSeconds(headers),
  });
}

/** An error object that arrived inside a stream which had begun with 200. */
export function toStreamFailure(
  provider: ProviderId,
  event: object,
  providerRequestId: string | undefined,
): ProviderFailure {
  const error = readError(event);
  const status = numericStatus(error.code);
  const isPayment = status === 402 || isPaymentError(status ?? 0, error);
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status: status ?? 500,
    detail: safeDetail(status ?? 500, isPayment, error.message),
    providerRequestId,
  });
}

export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-request-id'] ?? headers['request-id'];
  const text = Array.isArray(value) ? value[0] : value;
  return text && /^[\x21-\x7e]{1,128}$/.test(text) ? text : undefined;
}

function readError(body: object | undefined): WireError {
  const outer = (body ?? {}) as Record<string, unknown>;
  const inner =
    typeof outer.error === 'object' && outer.error !== null ? (outer.error as Record<string, unknown>) : outer;
  const message = inner.message ?? (typeof outer.error === 'string' ? outer.error : outer.detail);
  return {
    message: typeof message === 'string' ? message : undefined,
    code: typeof inner.code === 'string' || typeof inner.code === 'number' ? String(inner.code) : undefined,
    type: typeof inner.type === 'string' ? inner.type : undefined,
  };
}

function isPaymentError(status: number, { code, type, message }: WireError): boolean {
  if (paymentCodes.has(code ?? '') || paymentCodes.has(type ?? '')) return true;
  // xAI says it in words only, with 403 or 429.
  return (status === 403 || status === 429) && /\b(credits|spending limit)\b/i.test(message ?? '');
}

function numericStatus(code: string | undefined): number | undefined {
  return code && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

/**
 * The provider's words as far as they are the client's business: nothing about our credentials or account with the
 * provider (401, 403, payment), no key-like strings, bounded.
 */
function safeDetail(status: number, isPayment: boolean, message: string | undefined): string | undefined {
  if (!message || isPayment || status === 401 || status === 403) return undefined;
  const safe = message.replace(/\b(?:sk|xai|org|proj|key|Bearer)[-_ ][A-Za-z0-9_*.-]{6,}/g, '[redacted]');
  return safe.length > DETAIL_CHARS_MAX ? `${safe.slice(0, DETAIL_CHARS_MAX)}…` : safe;
}

function retryAfterSeconds(headers: IncomingHttpHeaders): number | undefined {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), RETRY_AFTER_SECONDS_MAX) : undefined;
}
