import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject } from '@tollgate/runtime';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
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
  const error = readError(parseObject(text));
  return createFailure(provider, status, error, {
    providerRequestId: readRequestId(headers) ?? error.requestId,
    retryAfterSeconds: retryAfterSeconds(headers),
  });
}

/** Converts an error event inside a stream, or an error body with status 200. */
export function toStreamFailure(
  provider: ProviderId,
  event: object,
  providerRequestId: string | undefined,
): ProviderFailure {
  const error = readError(event);
  const status = statusOfType[error.type ?? ''] ?? 500;
  return createFailure(provider, status, error, { providerRequestId: providerRequestId ?? error.requestId });
}

function createFailure(
  provider: ProviderId,
  status: number,
  { type, message }: ReturnType<typeof readError>,
  head: Partial<Pick<ProviderFailure, 'providerRequestId' | 'retryAfterSeconds'>>,
): ProviderFailure {
  const isPayment = status === 402 || type === 'billing_error' || /credit balance is too low/i.test(message ?? '');
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status,
    detail: safeDetail(status, isPayment, message),
    accountDetail: redactedDetail(message),
    ...head,
    vendorError: { shape: 'anthropic', ...(type && { type }) },
  });
}

function readError(body: object | undefined) {
  const outer = isJsonObject(body) ? body : {};
  const inner = isJsonObject(outer.error) ? outer.error : {};
  return {
    type: textOrUndefined(inner.type),
    message: textOrUndefined(inner.message),
    requestId: readRequestId({ 'request-id': textOrUndefined(outer.request_id) }),
  };
}
