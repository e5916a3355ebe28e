import { AppError, type Failure } from './app-error.js';
import type { ErrorCode } from './catalog.js';
import { toWire } from './wire.js';

/** The reader of the answer: the owner's backend or dashboard, or one of the owner's customers. */
export type Audience = 'project' | 'customer';

/** Whose limit a refusal names. */
type LimitHolder = 'customer' | 'owner';

interface RefusalDefinition {
  limitOf: LimitHolder;
  /** Text for an audience that may know about the limit. */
  message: string;
}

/** The codes of "Billing admission refusals", in the order in which the first of several failing limits is reported. */
export const refusalCatalog = {
  SUBSCRIPTION_INACTIVE: { limitOf: 'customer', message: 'the customer has no active subscription' },
  TIER_ALLOWANCE_EXHAUSTED: {
    limitOf: 'customer',
    message: 'the spend allowance of this billing window cannot cover the request',
  },
  WALLET_EMPTY: { limitOf: 'customer', message: 'the prepaid wallet cannot cover the request' },
  API_KEY_SPEND_LIMIT_REACHED: { limitOf: 'owner', message: 'the lifetime spend limit of this API key is reached' },
  PROVIDER_ACCOUNT_UNFUNDED: {
    limitOf: 'owner',
    message: 'the prepaid balance of the project owner cannot cover the request',
  },
  FREE_CREDIT_DAILY_CAP: { limitOf: 'owner', message: 'the daily cap of free credits is reached' },
  ACCOUNT_QUOTA_EXCEEDED: { limitOf: 'owner', message: 'the usage quota of the account is exhausted' },
} as const satisfies Partial<Record<ErrorCode, RefusalDefinition>>;

/** A code of the billing admission refusals. */
export type RefusalCode = keyof typeof refusalCatalog;

/** Refusal codes in the order in which one of several failing limits is chosen. */
export const refusalCodes = Object.keys(refusalCatalog) as readonly RefusalCode[];

/** A refusal as one audience sees it. */
export interface RefusalView {
  status: 402 | 503;
  code: ErrorCode;
  message: string;
  retryable: boolean;
  retryAfterSeconds?: number;
}

/** Seconds after which a customer may retry after an owner-side refusal. */
export const OWNER_REFUSAL_RETRY_AFTER_SECONDS = 30;

const NEUTRAL_MESSAGE = 'the service is temporarily unavailable, try again later';

/** Whether a string from elsewhere is a refusal code. */
export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusalCatalog, code);
}

/**
 * Returns a refusal as the audience sees it. A limit that the audience may know of is a 402 that names it. A limit on the
 * owner's side reaches a customer as a neutral, retryable 503, so that a 402 always concerns the customer's own limit.
 */
export function refusalStatus(code: RefusalCode, audience: Audience): RefusalView {
  const { limitOf, message } = refusalCatalog[code];
  if (audience === 'customer' && limitOf === 'owner') return neutralView();
  return { status: 402, code, message, retryable: false };
}

/** Returns the error to throw to this audience. */
export function refusalError(code: RefusalCode, audience: Audience): AppError {
  return toAppError(refusalStatus(code, audience));
}

/**
 * Returns the error as this audience may see it. For a customer, every error about the owner's money (an owner-side
 * refusal, an unpaid provider) becomes the neutral 503, even among the failures of another error. Other errors are
 * unchanged.
 */
export function errorForAudience(error: AppError, audience: Audience): AppError {
  if (audience === 'project') return error;
  if (isOwnersMoney(error.code)) return toAppError(neutralView(), error);
  if (!error.failures?.some((failure) => isOwnersMoney(failure.code))) return error;
  return new AppError(error.code, error.message, {
    ...toWire(error),
    cause: error.cause,
    failures: error.failures.map((failure) => (isOwnersMoney(failure.code) ? neutralFailure(failure) : failure)),
  });
}

function isOwnersMoney(code: string): boolean {
  if (code === 'UPSTREAM_PAYMENT_REQUIRED') return true;
  return isRefusalCode(code) && refusalCatalog[code].limitOf === 'owner';
}

function neutralView(): RefusalView {
  return {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: NEUTRAL_MESSAGE,
    retryable: true,
    retryAfterSeconds: OWNER_REFUSAL_RETRY_AFTER_SECONDS,
  };
}

function toAppError(view: RefusalView, hidden?: AppError): AppError {
  const { code, message, status, retryable, retryAfterSeconds } = view;
  return new AppError(code, message, {
    status,
    retryable,
    retryAfterSeconds,
    requestId: hidden?.requestId,
    cause: hidden,
  });
}

function neutralFailure(failure: Failure): Failure {
  return {
    code: 'SERVICE_UNAVAILABLE',
    message: NEUTRAL_MESSAGE,
    layer: 'modelrelay',
    cause: 'unavailable',
    statusCode: 503,
    retryable: true,
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
    ...(failure.batchId === undefined ? {} : { batchId: failure.batchId }),
    ...(failure.itemId === undefined ? {} : { itemId: failure.itemId }),
  };
}
