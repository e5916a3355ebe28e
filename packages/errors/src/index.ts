export {
  type ApiError,
  type ApiErrorContext,
  type ApiFailure,
  toApiError,
  toFailure,
  toServedFields,
} from './api-error.js';
export {
  AppError,
  type AppErrorOptions,
  asAppError,
  type Failure,
  type FieldError,
  INTERNAL_ERROR_MESSAGE,
  isAppError,
  type ServedBefore,
  type SpecIssue,
  type VendorError,
} from './app-error.js';
export {
  type ErrorCause,
  type ErrorCode,
  type ErrorDefinition,
  type ErrorLayer,
  errorCatalog,
  type GrpcStatusName,
  getDefinition,
  isErrorCode,
  lowerCaseAliases,
} from './catalog.js';
export { assertNever, InvariantError, invariant } from './invariant.js';
export {
  type Audience,
  errorForAudience,
  isRefusalCode,
  OWNER_REFUSAL_RETRY_AFTER_SECONDS,
  type RefusalCode,
  type RefusalView,
  refusalCatalog,
  refusalCodes,
  refusalError,
  refusalStatus,
} from './refusals.js';
export { isTransientError } from './transient-error.js';
export {
  type AnthropicErrorBody,
  type GoogleErrorBody,
  type OpenAiError,
  toAnthropicError,
  toGoogleError,
  toOpenAiError,
  vendorRetryHeaders,
  vendorStatus,
} from './vendor-errors.js';
export { codeForStatus, fromWire, toWire, type WireError } from './wire.js';
export { upstreamStatusHeader, wireStatus } from './wire-status.js';
