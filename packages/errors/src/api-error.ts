import type { AppError, Failure, FieldError, SpecIssue } from './app-error.js';
import type { ErrorCause, ErrorLayer } from './catalog.js';

/** An attributable failure in the public JSON form. */
export interface ApiFailure {
  code: string;
  message: string;
  layer: ErrorLayer;
  cause: ErrorCause;
  status_code: number;
  retryable: boolean;
  detail?: string;
  request_id?: string;
  provider_request_id?: string;
  batch_id?: string;
  item_id?: string;
}

/** The native error envelope (APIError), used by error bodies, batch items and dashboards alike. */
export interface ApiError extends ApiFailure {
  error: 'api_error';
  fields?: readonly FieldError[];
  issues?: readonly SpecIssue[];
  failures?: readonly ApiFailure[];
  /** Usage that was served before the refusal, and its charge. */
  usage?: Readonly<Record<string, number | boolean>>;
  charged_microcents?: number;
  /** A page on which the problem can be solved, such as the payment processor's for another card. */
  action_url?: string;
}

/** Fields that depend on where the error occurred. */
export interface ApiErrorContext {
  /** Used when the error itself names no request. */
  requestId?: string;
  batchId?: string;
  itemId?: string;
}

/** The native envelope of an error. Hide what the reader may not know first: `errorForAudience`. */
export function toApiError(error: AppError, context: ApiErrorContext = {}): ApiError {
  return {
    error: 'api_error',
    ...toApiFailure(toFailure(error, context)),
    ...(error.fields === undefined ? {} : { fields: error.fields }),
    ...(error.issues === undefined ? {} : { issues: error.issues }),
    ...(error.failures === undefined ? {} : { failures: error.failures.map(toApiFailure) }),
    ...toServedFields(error),
    ...(error.actionUrl === undefined ? {} : { action_url: error.actionUrl }),
  };
}

/** The public fields of what was served before a refusal; none when nothing was. */
export function toServedFields({ servedBefore }: AppError): Pick<ApiError, 'usage' | 'charged_microcents'> {
  if (!servedBefore) return {};
  return { usage: servedBefore.usage, charged_microcents: servedBefore.chargedMicrocents };
}

/** The error as one entry of another error's `failures`. */
export function toFailure(error: AppError, context: ApiErrorContext = {}): Failure {
  const requestId = error.requestId ?? context.requestId;
  return {
    code: error.code,
    message: error.message,
    layer: error.layer,
    cause: error.causeKind,
    statusCode: error.status,
    retryable: error.retryable,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(error.providerRequestId === undefined ? {} : { providerRequestId: error.providerRequestId }),
    ...(context.batchId === undefined ? {} : { batchId: context.batchId }),
    ...(context.itemId === undefined ? {} : { itemId: context.itemId }),
  };
}

function toApiFailure(failure: Failure): ApiFailure {
  const { code, message, layer, cause, retryable, detail } = failure;
  return {
    code,
    message,
    layer,
    cause,
    status_code: failure.statusCode,
    retryable,
    ...(detail === undefined ? {} : { detail }),
    ...(failure.requestId === undefined ? {} : { request_id: failure.requestId }),
    ...(failure.providerRequestId === undefined ? {} : { provider_request_id: failure.providerRequestId }),
    ...(failure.batchId === undefined ? {} : { batch_id: failure.batchId }),
    ...(failure.itemId === undefined ? {} : { item_id: failure.itemId }),
  };
}
