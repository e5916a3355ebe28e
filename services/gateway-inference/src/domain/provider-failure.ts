import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError, type Failure, toFailure, type VendorError } from '@tollgate/errors';
import type { TokenUsage } from './model-answer.js';

/** How a call to a provider failed, before it is mapped to an error of the contract. */
export type ProviderFailureKind =
  /** It answered with an error. */
  | 'response'
  /** It refused because its own account is not funded. */
  | 'payment'
  | 'timeout'
  /** The connection failed or broke. */
  | 'transport'
  /** Its answer cannot be read. */
  | 'invalid_response'
  /** Too many calls to it are in flight already. */
  | 'overloaded'
  /** Its request could not be written, because too many large requests are being written. */
  | 'unwritten'
  /** No credential could be obtained for its connection. */
  | 'unauthorized';

interface ProviderFailureOptions {
  kind: ProviderFailureKind;
  provider: ProviderId;
  /** HTTP status of the provider's answer. */
  status?: number | undefined;
  /** The provider's own message, already redacted. */
  detail?: string | undefined;
  /** That message, also if it may concern the account; only for the owner of the account. */
  accountDetail?: string | undefined;
  providerRequestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** The provider's own type, code and param. */
  vendorError?: VendorError | undefined;
  /** The request was sent, and its answer has not arrived in full: the provider may have served it. */
  isUnanswered?: boolean;
  /** The provider's count of an answer that it then failed; charged if some of it was delivered. */
  usage?: TokenUsage | undefined;
  cause?: unknown;
}

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: ProviderFailureKind;
  readonly provider: ProviderId;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly accountDetail: string | undefined;
  readonly providerRequestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly vendorError: VendorError | undefined;
  readonly isUnanswered: boolean;
  readonly usage: TokenUsage | undefined;
  /** The connection that failed; set where the route is known. */
  connection: string | undefined;
  /** That connection is the project's own. */
  isOwn = false;

  constructor(options: ProviderFailureOptions) {
    super(`${options.provider} ${options.kind}${options.status === undefined ? '' : ` ${options.status}`}`, {
      cause: options.cause,
    });
    this.kind = options.kind;
    this.provider = options.provider;
    this.status = options.status;
    this.detail = options.detail;
    this.accountDetail = options.accountDetail;
    this.providerRequestId = options.providerRequestId;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.vendorError = options.vendorError;
    this.isUnanswered = options.isUnanswered === true;
    this.usage = options.usage;
  }
}

/** A call was cut before anything of it was sent, so that its provider cannot have served it. */
export class CallNotSent extends Error {
  override readonly name = 'CallNotSent';
}

/**
 * Whether another route may succeed. Other providers would refuse the request itself (400, 413, 422) as well, at the owner's
 * cost; failures of this provider or this account are worth the next route.
 */
export function isWorthAnotherRoute(failure: ProviderFailure): boolean {
  const { status } = failure;
  // The body for another provider would wait for the same thread.
  if (failure.kind === 'unwritten') return false;
  if (failure.kind !== 'response' || status === undefined) return true;
  return status === 401 || status === 403 || status === 404 || status === 408 || status === 429 || status >= 500;
}

/** Coding agents and agent frameworks shorten the conversation when they read these words of Anthropic or this code of OpenAI. */
const TOO_LONG = 'prompt is too long';
const TOO_LONG_IN_CHAT: VendorError = {
  shape: 'openai',
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
};

/** Retry delay for a client that was refused because of load. */
const OVERLOAD_RETRY_AFTER_SECONDS = 1;

/** Who reads an error. Customers do not learn the names of the owner's connections. */
type ErrorReader = 'owner' | 'customer';

function toName({ provider, connection }: ProviderFailure, reader: ErrorReader): string {
  if (connection === undefined || connection === provider) return provider;
  if (reader === 'owner') return connection;
  return provider === 'custom' ? 'the provider' : provider;
}

/** Returns the contract's error for one failed route. */
export function toContractError(failure: ProviderFailure, requestId: string, reader: ErrorReader = 'owner'): AppError {
  const provider = toName(failure, reader);
  const { status, detail, providerRequestId, retryAfterSeconds, vendorError, cause } = failure;
  const param = vendorError?.param;
  const shared = { requestId, detail, providerRequestId, cause };
  switch (failure.kind) {
    case 'payment':
      return new AppError('UPSTREAM_PAYMENT_REQUIRED', `${provider} refused the request for a payment reason`, {
        ...shared,
        upstreamStatus: status,
      });
    case 'timeout':
      return new AppError('PROVIDER_TIMEOUT', `${provider} did not answer in time`, shared);
    case 'transport':
      return new AppError('PROVIDER_ERROR', `the connection to ${provider} failed`, {
        ...shared,
        causeKind: 'transport',
      });
    case 'invalid_response':
      return new AppError('PROVIDER_ERROR', `${provider} sent an answer that cannot be read`, {
        ...shared,
        layer: 'provider_integration',
        causeKind: 'invalid_response',
      });
    case 'overloaded':
      return new AppError('SERVICE_UNAVAILABLE', `too many requests to ${provider} are in flight`, {
        ...shared,
        retryAfterSeconds: OVERLOAD_RETRY_AFTER_SECONDS,
      });
    case 'unwritten':
      return new AppError('SERVICE_UNAVAILABLE', 'too many large requests at once, try again later', {
        ...shared,
        retryAfterSeconds: OVERLOAD_RETRY_AFTER_SECONDS,
      });
    case 'unauthorized':
      return new AppError('PROVIDER_ERROR', `the request to ${provider} could not be authorized`, {
        ...shared,
        layer: 'provider_integration',
      });
    case 'response':
      if (isContextOverflow({ status, ...vendorError, message: detail })) {
        return new AppError('PROVIDER_ERROR', TOO_LONG, {
          ...shared,
          upstreamStatus: 400,
          vendorError: { ...TOO_LONG_IN_CHAT, ...(param && { param }) },
        });
      }
      return new AppError('PROVIDER_ERROR', `${provider} answered with an error`, {
        ...shared,
        upstreamStatus: status,
        retryAfterSeconds,
        vendorError,
      });
  }
}

/** Returns the error of a turn: the last route's, with every failure if several routes were tried. */
export function turnError(
  failures: readonly ProviderFailure[],
  requestId: string,
  reader: ErrorReader = 'owner',
): AppError {
  const last = failures.at(-1);
  if (!last) return new AppError('SERVICE_UNAVAILABLE', 'no route to the model', { layer: 'routing', requestId });
  // Only the owner can do something about the project's own key.
  if (reader === 'customer' && last.isOwn && isOfCredential(last))
    return new AppError('SERVICE_UNAVAILABLE', 'the model is not available at present', {
      layer: 'routing',
      requestId,
    });
  const error = toContractError(last, requestId, reader);
  if (failures.length === 1) return error;
  const all: Failure[] = failures.map((failure) => toFailure(toContractError(failure, requestId, reader)));
  return new AppError(error.code, error.message, {
    layer: error.layer,
    causeKind: error.causeKind,
    retryable: error.retryable,
    detail: error.detail,
    providerRequestId: error.providerRequestId,
    upstreamStatus: error.upstreamStatus,
    retryAfterSeconds: error.retryAfterSeconds,
    vendorError: error.vendorError,
    requestId,
    cause: error.cause,
    failures: all,
  });
}

function isOfCredential({ kind, status }: ProviderFailure): boolean {
  return kind === 'payment' || kind === 'unauthorized' || status === 401 || status === 402 || status === 403;
}

/** Statuses by which vendors refuse a prompt that does not fit into the context of the model. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 413, 422]);
const CODES: ReadonlySet<string | undefined> = new Set(['context_length_exceeded', 'exceed_context_size_error']);

/** Words of OpenAI and most servers of its dialect, Anthropic, Google, xAI, llama.cpp, Bedrock, TGI and Together, Moonshot, Z.ai. */
const WORDS = [
  /\b(maximum|model's|max) context (length|window|size)\b/i,
  /\bexceeds? (the |this model's )?(available )?context (length|window|size|limit)\b/i,
  /\bprompt (is too long|exceeds max length)\b/i,
  /\binput token count\b.*\bexceeds the maximum\b/i,
  /\bmaximum prompt length is \d/i,
  /\binput is too long\b/i,
  /\bexceeded model token limit\b/i,
  /`inputs` (tokens \+ `max_new_tokens` )?must (be <=|have less than) \d/i,
];

/** Why a vendor refused a request, by its own fields. */
interface Refusal {
  status?: number | undefined;
  type?: string | undefined;
  code?: string | undefined;
  message?: string | undefined;
}

/** Whether a vendor refused a request because its prompt does not fit into the context of the model. */
export function isContextOverflow({ status, type, code, message = '' }: Refusal): boolean {
  if (!STATUSES.has(status)) return false;
  return CODES.has(code) || CODES.has(type) || WORDS.some((words) => words.test(message));
}
