/** Which part of the service a failure is attributed to (wire values of the error envelope). */
export type ErrorLayer = 'request' | 'routing' | 'modelrelay' | 'provider_integration' | 'upstream';

/** What kind of failure it is (wire values of the error envelope's `cause`). */
export type ErrorCause =
  | 'validation'
  | 'authentication'
  | 'authorization'
  | 'rate_limit'
  | 'timeout'
  | 'canceled'
  | 'transport'
  | 'upstream_response'
  | 'invalid_response'
  | 'unavailable'
  | 'internal';

/** Names of the gRPC status codes that contract errors travel under. */
export type GrpcStatusName =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ABORTED'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'UNIMPLEMENTED'
  | 'DEADLINE_EXCEEDED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** Definition of a code. */
export interface ErrorDefinition {
  /** Status reported in bodies. The HTTP status of the response is `wireStatus`, which is never 502 or 504. */
  status: number;
  grpcStatus: GrpcStatusName;
  /** Default; a single error may override it. */
  retryable: boolean;
  layer: ErrorLayer;
  cause: ErrorCause;
}

const badRequest = define(400, 'INVALID_ARGUMENT', false, 'request', 'validation');
const unauthorized = define(401, 'UNAUTHENTICATED', false, 'request', 'authentication');
const notFound = define(404, 'NOT_FOUND', false, 'request', 'validation');
const conflict = define(409, 'ABORTED', false, 'request', 'validation');
const unprocessable = define(422, 'FAILED_PRECONDITION', false, 'request', 'validation');
const tooMany = define(429, 'RESOURCE_EXHAUSTED', true, 'request', 'rate_limit');
const billingRefusal = define(402, 'FAILED_PRECONDITION', false, 'modelrelay', 'authorization');

/**
 * Every code that may leave this system, and no other. Upper-case codes are native; lower-case codes belong to the compile
 * endpoints.
 */
export const errorCatalog = {
  NOT_FOUND: notFound,
  VALIDATION_ERROR: badRequest,
  INVALID_INPUT: badRequest,
  UNAUTHORIZED: unauthorized,
  FORBIDDEN: define(403, 'PERMISSION_DENIED', false, 'request', 'authorization'),
  CONFLICT: conflict,
  GONE: define(410, 'NOT_FOUND', false, 'request', 'validation'),
  PAYLOAD_TOO_LARGE: define(413, 'INVALID_ARGUMENT', false, 'request', 'validation'),
  RATE_LIMIT: tooMany,
  PAYMENT_REQUIRED: billingRefusal,
  METHOD_NOT_ALLOWED: define(405, 'UNIMPLEMENTED', false, 'request', 'validation'),
  INTERNAL_ERROR: define(500, 'INTERNAL', true, 'modelrelay', 'internal'),
  SERVICE_UNAVAILABLE: define(503, 'UNAVAILABLE', true, 'modelrelay', 'unavailable'),
  MODEL_CAPABILITY_UNSUPPORTED: define(400, 'INVALID_ARGUMENT', false, 'routing', 'validation'),
  PROVIDER_ERROR: define(500, 'INTERNAL', true, 'upstream', 'upstream_response'),
  // The body reports 504, since the provider did not answer; the HTTP status is 503.
  PROVIDER_TIMEOUT: define(504, 'DEADLINE_EXCEEDED', true, 'upstream', 'timeout'),
  RELAY_TIMEOUT: define(503, 'DEADLINE_EXCEEDED', true, 'modelrelay', 'timeout'),
  UPSTREAM_PAYMENT_REQUIRED: define(402, 'FAILED_PRECONDITION', false, 'upstream', 'upstream_response'),
  // Only sent as the last event of a structured stream, so its status is never an HTTP status.
  INVALID_OUTPUT: define(500, 'INTERNAL', true, 'provider_integration', 'invalid_response'),

  SUBSCRIPTION_INACTIVE: billingRefusal,
  TIER_ALLOWANCE_EXHAUSTED: billingRefusal,
  WALLET_EMPTY: billingRefusal,
  PROVIDER_ACCOUNT_UNFUNDED: billingRefusal,
  FREE_CREDIT_DAILY_CAP: billingRefusal,
  ACCOUNT_QUOTA_EXCEEDED: billingRefusal,
  API_KEY_SPEND_LIMIT_REACHED: billingRefusal,

  // Not retryable if the hook answered. Code that could not reach the hook sets `retryable: true`.
  HOOK_FAILED: define(503, 'UNAVAILABLE', false, 'modelrelay', 'unavailable'),

  TOOL_UNHANDLED: badRequest,
  TOOL_NOT_MOCKED: badRequest,
  TOOL_LOOP_LIMIT: badRequest,
  TOOL_WAIT_TIMEOUT: define(503, 'DEADLINE_EXCEEDED', false, 'request', 'timeout'),
  POINTER_NOT_FOUND: badRequest,
  AGENT_LIMIT_REACHED: badRequest,

  WEB_SEARCH_UNAVAILABLE: define(503, 'UNAVAILABLE', false, 'modelrelay', 'unavailable'),
  WEB_SEARCH_FAILED: define(500, 'INTERNAL', true, 'upstream', 'upstream_response'),
  WEB_FETCH_UNAVAILABLE: define(503, 'UNAVAILABLE', false, 'modelrelay', 'unavailable'),
  WEB_FETCH_FAILED: define(500, 'INTERNAL', true, 'upstream', 'upstream_response'),

  invalid_source: badRequest,
  source_or_files_required: badRequest,
  plugin_not_found: notFound,
  skill_not_found: notFound,
  parse_failed: unprocessable,
  generation_failed: unprocessable,
  rate_limited: tooMany,
} as const satisfies Record<string, ErrorDefinition>;

/** One of the closed set of codes. */
export type ErrorCode = keyof typeof errorCatalog;

/**
 * Lower-case spellings that the description of /responses and /images uses, and the native code each stands for.
 * For documentation and for renderers that need the lower-case form; native envelopes carry the native code.
 */
export const lowerCaseAliases = {
  bad_request: 'INVALID_INPUT',
  invalid_input: 'INVALID_INPUT',
  unauthorized: 'UNAUTHORIZED',
  payment_required: 'PAYMENT_REQUIRED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  rate_limited: 'RATE_LIMIT',
  internal_error: 'INTERNAL_ERROR',
} as const satisfies Record<string, ErrorCode>;

/** Whether a string from elsewhere (a peer, a stored row) is a code of the catalog. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalog, code);
}

/** Returns the catalog's entry of a code. */
export function getDefinition(code: ErrorCode): ErrorDefinition {
  return errorCatalog[code];
}

function define(
  status: number,
  grpcStatus: GrpcStatusName,
  retryable: boolean,
  layer: ErrorLayer,
  cause: ErrorCause,
): ErrorDefinition {
  return { status, grpcStatus, retryable, layer, cause };
}
