import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { VendorError } from '@tollgate/errors';
import type { TokenUsage } from '../../domain/model-answer.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
  filterObjects,
  parseObject,
  readRequestId,
  redactedDetail,
  retryAfterSeconds,
  safeDetail,
  textOrUndefined,
} from '../convert/answer-reading.js';

/** OpenAI's codes and types for an account without funds; sent with 429 or 403. */
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
  param: string | undefined;
}

/**
 * Converts an error answer. Reads the forms `{error: {message, type, param, code}}` (OpenAI, Ollama, newer vLLM),
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
    accountDetail: redactedDetail(error.message),
    providerRequestId: readRequestId(headers),
    retryAfterSeconds: retryAfterSeconds(headers),
    vendorError: toVendorError(error),
  });
}

/** Converts an error object inside a stream with status 200. `usage`: what the provider counted up to it. */
export function toStreamFailure(
  provider: ProviderId,
  event: object,
  providerRequestId: string | undefined,
  usage?: TokenUsage,
): ProviderFailure {
  const error = readError(event);
  const status = numericStatus(error.code);
  const isPayment = status === 402 || isPaymentError(status ?? 0, error);
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status: status ?? 500,
    detail: safeDetail(status ?? 500, isPayment, error.message),
    accountDetail: redactedDetail(error.message),
    providerRequestId,
    vendorError: toVendorError(error),
    usage,
  });
}

function readError(body: object | undefined): WireError {
  const outer = (body ?? {}) as Record<string, unknown>;
  const inner =
    typeof outer.error === 'object' && outer.error !== null ? (outer.error as Record<string, unknown>) : outer;
  const message = inner.message ?? (typeof outer.error === 'string' ? outer.error : readDetail(outer.detail));
  return {
    message: textOrUndefined(message),
    code: typeof inner.code === 'string' || typeof inner.code === 'number' ? String(inner.code) : undefined,
    type: textOrUndefined(inner.type),
    param: textOrUndefined(inner.param),
  };
}

function toVendorError({ type, code, param }: WireError): VendorError {
  return { shape: 'openai', ...(type && { type }), ...(code && { code }), ...(param && { param }) };
}

/** Reads FastAPI's detail: a text, or a list of `{loc: ["body", "messages"], msg: "Field required", type}`. */
function readDetail(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail;
  const faults = filterObjects(detail).map(({ loc, msg }) => {
    const place = Array.isArray(loc) ? loc.join('.') : '';
    return place === '' ? String(msg) : `${place}: ${msg}`;
  });
  return faults.length > 0 ? faults.join('; ') : undefined;
}

function isPaymentError(status: number, { code, type, message }: WireError): boolean {
  if (paymentCodes.has(code ?? '') || paymentCodes.has(type ?? '')) return true;
  // xAI reports it only in the message, with 403 or 429.
  return (status === 403 || status === 429) && /\b(credits|spending limit)\b/i.test(message ?? '');
}

/** Returns the status of an error inside an answer, which some servers send as its code. */
function numericStatus(code: string | undefined): number | undefined {
  if (code === 'rate_limit_exceeded') return 429;
  if (code === 'invalid_prompt') return 400;
  return code && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}
