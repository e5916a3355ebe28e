import { type ErrorCause, type ErrorCode, type ErrorLayer, type GrpcStatusName, getDefinition } from './catalog.js';
import { isTransientError } from './transient-error.js';

// A registered symbol, so that an error made by another copy of this package (or another realm) is still recognized.
const marker = Symbol.for('@tollgate/errors/AppError');

/** Neutral text for failures whose cause must not be disclosed. */
export const INTERNAL_ERROR_MESSAGE = 'internal error';

/** One field of a request that did not validate. `field` is a path such as `input[0].role`. */
export interface FieldError {
  field: string;
  message: string;
}

/** One fault of a workflow spec. `path` is a JSON Pointer into the spec. */
export interface SpecIssue {
  code: string;
  path: string;
  message: string;
}

/** One attributable failure among several, for example a route that was tried before another one. Safe to show. */
export interface Failure {
  code: string;
  message: string;
  layer: ErrorLayer;
  cause: ErrorCause;
  statusCode: number;
  retryable: boolean;
  detail?: string;
  requestId?: string;
  providerRequestId?: string;
  batchId?: string;
  itemId?: string;
}

/** Usage that was served, and charged, before a request was refused. */
export interface ServedBefore {
  /** With the field names of the native answer. */
  usage: Readonly<Record<string, number | boolean>>;
  chargedMicrocents: number;
}

/** Fields that clients of a vendor's dialect look for in an error, with that dialect's values. */
export interface VendorError {
  shape: 'openai' | 'anthropic';
  type?: string;
  code?: string;
  param?: string;
}

/** Values of a single error that extend or override the catalog. */
export interface AppErrorOptions {
  /** Status for bodies; default: the upstream's status for provider errors, else the catalog's. */
  status?: number;
  /** Default: derived from the upstream's status for provider errors, else the catalog's. */
  retryable?: boolean;
  layer?: ErrorLayer;
  /** The envelope's `cause`; named apart because `cause` is the thrown one. */
  causeKind?: ErrorCause;
  /** Diagnostics from the provider that are safe to show. */
  detail?: string;
  requestId?: string;
  providerRequestId?: string;
  /** Status the provider answered with; goes out as `X-Service-Upstream-Status`. */
  upstreamStatus?: number;
  retryAfterSeconds?: number;
  /** For answers in the same dialect; other dialects and the native envelope omit it. */
  vendorError?: VendorError;
  servedBefore?: ServedBefore;
  /** A page on which the reader can solve the problem, such as the payment processor's for another card. */
  actionUrl?: string;
  fields?: readonly FieldError[];
  issues?: readonly SpecIssue[];
  failures?: readonly Failure[];
  /** The original error. For logs; never leaves the process. */
  cause?: unknown;
}

/** An error of the contract: its code, message and fields may be shown to the caller. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly layer: ErrorLayer;
  readonly causeKind: ErrorCause;
  readonly detail: string | undefined;
  readonly requestId: string | undefined;
  readonly providerRequestId: string | undefined;
  readonly upstreamStatus: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly vendorError: VendorError | undefined;
  readonly servedBefore: ServedBefore | undefined;
  readonly actionUrl: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly issues: readonly SpecIssue[] | undefined;
  readonly failures: readonly Failure[] | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const definition = getDefinition(code);
    // A provider that does not answer has no status: the catalog's 504 applies.
    const upstreamStatus = options.upstreamStatus ?? (code === 'PROVIDER_TIMEOUT' ? definition.status : undefined);
    const reported = code === 'PROVIDER_ERROR' ? upstreamStatus : undefined;
    this.code = code;
    this.status = options.status ?? reported ?? definition.status;
    this.retryable = options.retryable ?? (reported === undefined ? definition.retryable : isWorthRetrying(reported));
    this.layer = options.layer ?? definition.layer;
    this.causeKind = options.causeKind ?? (reported === 429 ? 'rate_limit' : definition.cause);
    this.detail = options.detail;
    this.requestId = options.requestId;
    this.providerRequestId = options.providerRequestId;
    this.upstreamStatus = upstreamStatus;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.vendorError = options.vendorError;
    this.servedBefore = options.servedBefore;
    this.actionUrl = options.actionUrl;
    this.fields = options.fields;
    this.issues = options.issues;
    this.failures = options.failures;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Name of the gRPC status this error travels under. */
  get grpcStatus(): GrpcStatusName {
    return getDefinition(this.code).grpcStatus;
  }
}

/** True for every AppError, including one made by another copy of this package. */
export function isAppError(thrown: unknown): thrown is AppError {
  return typeof thrown === 'object' && thrown !== null && (thrown as Record<symbol, unknown>)[marker] === true;
}

/**
 * Returns contract errors unchanged. Any other thrown value becomes the `cause` of a neutral error: SERVICE_UNAVAILABLE if
 * a dependency failed (a database or peer is unavailable), INTERNAL_ERROR otherwise.
 */
export function asAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown;
  if (isTransientError(thrown)) {
    return new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable', { cause: thrown });
  }
  return new AppError('INTERNAL_ERROR', INTERNAL_ERROR_MESSAGE, { cause: thrown });
}

function isWorthRetrying(upstreamStatus: number): boolean {
  return upstreamStatus === 408 || upstreamStatus === 429 || upstreamStatus >= 500;
}
