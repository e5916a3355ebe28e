import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
  isObject,
  parseObject,
  readRequestId,
  redactedDetail,
  retryAfterSeconds,
  safeDetail,
  textOrUndefined,
} from '../convert/answer-reading.js';

/** The status of each error type; errors inside a stream have only the type. */
const statusOfType: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/**
 * Converts an error answer: `{type: "error", error: {type, message}, request_id}`.
 * Source: platform.claude.com/docs/en/api/errors.
 */
export function toFailure(
  provider: ProviderId,
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
): ProviderFailure {
  const { type, message, requestId } = readError(parseObject(text));
  return createFailure(
    provider,
    status,
    type,
    message,
    readRequestId(headers) ?? requestId,
    retryAfterSeconds(headers),
  );
}

/** Converts an error event inside a stream, or an error body with status 200. */
export function toStreamFailure(
  provider: ProviderId,
  event: object,
  providerRequestId: string | undefined,
): ProviderFailure {
  const { type, message, requestId } = readError(event);
  return createFailure(
    provider,
    statusOfType[type ?? ''] ?? 500,
    type,
    message,
    providerRequestId ?? requestId,
    undefined,
  );
}

function createFailure(
  provider: ProviderId,
  status: number,
  type: string | undefined,
  message: string | undefined,
  providerRequestId: string | undefined,
  retryAfter: number | undefined,
): ProviderFailure {
  const isPayment = status === 402 || type === 'billing_error' || /credit balance is too low/i.test(message ?? '');
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status,
    detail: safeDetail(status, isPayment, message),
    accountDetail: redactedDetail(message),
    providerRequestId,
    retryAfterSeconds: retryAfter,
    vendorError: { shape: 'anthropic', ...(type && { type }) },
  });
}

function readError(body: object | undefined) {
  const outer = isObject(body) ? body : {};
  const inner = isObject(outer.error) ? outer.error : {};
  return {
    type: textOrUndefined(inner.type),
    message: textOrUndefined(inner.message),
    requestId: readRequestId({ 'request-id': textOrUndefined(outer.request_id) }),
  };
}
