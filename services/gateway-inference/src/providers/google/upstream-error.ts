import type { IncomingHttpHeaders } from 'node:http';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
  boundedSeconds,
  isObject,
  type Json,
  objectsOf,
  requestIdOf,
  retryAfterSeconds,
  safeDetail,
  textOrUndefined,
} from '../convert/answer-reading.js';

const provider = 'google-ai-studio';

/**
 * An error answer → the failure: `{error: {code, message, status, details}}`, in a list where a stream was asked for.
 * Source: ai.google.dev/gemini-api/docs/troubleshooting; google.rpc.ErrorInfo and RetryInfo.
 */
export function toFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
  const error = readError(parseAny(text));
  return failureOf(status, error, requestIdOf(headers), retryAfterSeconds(headers));
}

/** An error inside a stream, or an error body under 200. */
export function toStreamFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
  const error = readError(body);
  const status = Number(error.code);
  return failureOf(status >= 400 && status < 600 ? status : 500, error, providerRequestId, undefined);
}

function failureOf(
  status: number,
  error: Json,
  providerRequestId: string | undefined,
  retryAfter: number | undefined,
): ProviderFailure {
  const message = textOrUndefined(error.message);
  const isPayment = status === 402 || isPaymentError(error, message);
  // A key that is not valid is answered with 400 here, unlike anywhere else.
  const meant = isKeyError(error) ? 401 : status;
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status: meant,
    detail: safeDetail(meant, isPayment, message),
    providerRequestId,
    retryAfterSeconds: retryAfter ?? retryDelay(error),
  });
}

function isPaymentError({ status }: Json, message = ''): boolean {
  if (/\b(prepay\w*|credits?) (are|is|have been) (depleted|exhausted)\b/i.test(message)) return true;
  return status === 'FAILED_PRECONDITION' && /\bbilling\b/i.test(message);
}

function isKeyError({ details }: Json): boolean {
  return objectsOf(details).some(({ reason }) => reason === 'API_KEY_INVALID' || reason === 'API_KEY_EXPIRED');
}

/** RetryInfo, as in `"retryDelay": "34s"`. */
function retryDelay({ details }: Json): number | undefined {
  for (const { retryDelay: delay } of objectsOf(details)) {
    if (typeof delay === 'string' && delay.endsWith('s')) return boundedSeconds(Number(delay.slice(0, -1)));
  }
  return undefined;
}

function readError(body: unknown): Json {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(first) && isObject(first.error) ? first.error : {};
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
