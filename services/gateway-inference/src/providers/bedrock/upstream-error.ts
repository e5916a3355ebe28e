import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import { ProviderFailure } from '../../domain/provider-failure.js';
import {
  count,
  parseObject,
  readRequestId,
  redactedDetail,
  retryAfterSeconds,
  safeDetail,
  textOrUndefined,
} from '../convert/answer-reading.js';

/**
 * The statuses of Bedrock's exceptions; those inside a stream have only the name, which begins with a small letter there.
 *
 * Source: docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (Errors), read 2026-11-30.
 */
const statusOfException: Record<string, number> = {
  accessdeniedexception: 403,
  conflictexception: 400,
  internalserverexception: 500,
  modelerrorexception: 424,
  modelnotreadyexception: 429,
  modelstreamerrorexception: 424,
  modeltimeoutexception: 408,
  resourcenotfoundexception: 404,
  servicequotaexceededexception: 400,
  serviceunavailableexception: 503,
  throttlingexception: 429,
  validationexception: 400,
};

/** An account that cannot pay is refused as one without access. */
const PAYMENT = /INVALID_PAYMENT_INSTRUMENT|payment instrument|marketplace subscription/i;

/** Converts an error answer: `{message}` with the exception's name in a header. */
export function toFailure(
  provider: ProviderId,
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
): ProviderFailure {
  const body: JsonObject = parseObject(text) ?? {};
  const header = headers['x-amzn-errortype'];
  const type = toExceptionName(typeof header === 'string' ? header : (body.__type ?? body.type));
  return createFailure(
    provider,
    { type, body, status },
    {
      providerRequestId: readRequestId(headers),
      retryAfterSeconds: retryAfterSeconds(headers),
    },
  );
}

/** Converts an exception inside a stream, or an error body with status 200. */
export function toStreamFailure(
  provider: ProviderId,
  event: object,
  providerRequestId: string | undefined,
): ProviderFailure {
  const body = event as JsonObject;
  return createFailure(provider, { type: toExceptionName(body.type ?? body.__type), body }, { providerRequestId });
}

function createFailure(
  provider: ProviderId,
  { type, body, status: answered }: { type: string | undefined; body: JsonObject; status?: number },
  more: { providerRequestId: string | undefined; retryAfterSeconds?: number | undefined },
): ProviderFailure {
  const named = statusOfException[type?.toLowerCase() ?? ''];
  const status = toStatus(named ?? answered ?? 500, type, body);
  const message = textOrUndefined(body.message) ?? textOrUndefined(body.Message);
  const isPayment = status === 402 || PAYMENT.test(message ?? '');
  return new ProviderFailure({
    kind: isPayment ? 'payment' : 'response',
    provider,
    status,
    detail: safeDetail(status, isPayment, message),
    accountDetail: redactedDetail(message),
    ...more,
    ...(type ? { vendorError: { shape: 'openai', type } } : {}),
  });
}

/** A model's own failure says which status the model had; a quota is a limit of the rate, not a fault of the request. */
function toStatus(status: number, type: string | undefined, { originalStatusCode: original }: JsonObject): number {
  if (/^servicequotaexceeded/i.test(type ?? '')) return 429;
  const own = count(original);
  if (status === 424 && own !== undefined && own >= 400 && own < 600) return own;
  return status === 424 ? 502 : status;
}

/** Removes what follows a name: `ValidationException:http://internal.amazon.com/…`, `com.amazonaws…#ValidationException`. */
function toExceptionName(value: unknown): string | undefined {
  const text = textOrUndefined(value);
  return text === undefined ? undefined : text.slice(text.lastIndexOf('#') + 1).split(':')[0];
}
