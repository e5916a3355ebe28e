import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
  boundedSeconds,
  filterObjects,
  readRequestId,
  redactedDetail,
  retryAfterSeconds,
  safeDetail,
  textOrUndefined,
} from '../convert/answer-reading.js';

/**
 * Converts an error answer: `{error: {code, message, status, details}}`, in a list if a stream was requested.
 * Source: ai.google.dev/gemini-api/docs/troubleshooting; google.rpc.ErrorInfo and RetryInfo.
 */
export function toFailure(
  provider: ProviderId,
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
): ProviderFailure {
  const error = readError(parseAny(text));
  return createFailure(provider, status, error, {
    providerRequestId: readRequestId(headers),
    retryAfterSeconds: retryAfterSeconds(headers),
  });
}

/** Converts an error inside a stream, or an error body with status 200. */
export function toStreamFailure(
  provider: ProviderId,
  body: object,
  providerRequestId: string | undefined,
): ProviderFailure {
  const error = readError(body);
  const status = Number(error.code);
  return createFailure(provider, status >= 400 && status < 600 ? status : 500, error, { providerRequestId });
}

function createFailure(
  provider: ProviderId,
  status: number,
  error: JsonObject,
  head: Partial<Pick<ProviderFailure, 'providerRequestId' | 'retryAfterSeconds'>>,
): ProviderFailure {
  const message = textOrUndefined(error.message);
  const isPayment = status === 402 || isPaymentError(error, message);
  // Unlike other vendors, Google answers an invalid key with 400.
  const meant = isKeyError(error) ? 401 : status;
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status: meant,
    detail: safeDetail(meant, isPayment, message),
    accountDetail: redactedDetail(message),
    providerRequestId: head.providerRequestId,
    retryAfterSeconds: head.retryAfterSeconds ?? retryDelay(error),
  });
}

function isPaymentError({ status }: JsonObject, message = ''): boolean {
  if (/\b(prepay\w*|credits?) (are|is|have been) (depleted|exhausted)\b/i.test(message)) return true;
  return status === 'FAILED_PRECONDITION' && /\bbilling\b/i.test(message);
}

function isKeyError({ details }: JsonObject): boolean {
  return filterObjects(details).some(({ reason }) => reason === 'API_KEY_INVALID' || reason === 'API_KEY_EXPIRED');
}

/** RetryInfo, as in `"retryDelay": "34s"`. */
function retryDelay({ details }: JsonObject): number | undefined {
  for (const { retryDelay: delay } of filterObjects(details)) {
    if (typeof delay === 'string' && delay.endsWith('s')) return boundedSeconds(Number(delay.slice(0, -1)));
  }
  return undefined;
}

function readError(body: unknown): JsonObject {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return isJsonObject(first) && isJsonObject(first.error) ? first.error : {};
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
