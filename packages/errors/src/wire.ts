import {
  AppError,
  type AppErrorOptions,
  type Failure,
  type FieldError,
  type ServedBefore,
  type SpecIssue,
  type VendorError,
} from './app-error.js';
import { type ErrorCause, type ErrorCode, type ErrorLayer, isErrorCode } from './catalog.js';

/**
 * An AppError as a plain JSON object, for travel between services. Status, retryability and attribution always travel,
 * so that a peer which does not know a newer code still treats the error rightly.
 */
export interface WireError {
  code: string;
  message: string;
  status?: number;
  retryable?: boolean;
  layer?: ErrorLayer;
  causeKind?: ErrorCause;
  detail?: string;
  requestId?: string;
  providerRequestId?: string;
  upstreamStatus?: number;
  retryAfterSeconds?: number;
  vendorError?: VendorError;
  servedBefore?: ServedBefore;
  fields?: readonly FieldError[];
  issues?: readonly SpecIssue[];
  failures?: readonly Failure[];
}

/** Everything of the error but `cause` and stack. Absent fields are left out. */
export function toWire(error: AppError): WireError {
  const wire: WireError = {
    code: error.code,
    message: error.message,
    status: error.status,
    retryable: error.retryable,
    layer: error.layer,
    causeKind: error.causeKind,
  };
  if (error.detail !== undefined) wire.detail = error.detail;
  if (error.requestId !== undefined) wire.requestId = error.requestId;
  if (error.providerRequestId !== undefined) wire.providerRequestId = error.providerRequestId;
  if (error.upstreamStatus !== undefined) wire.upstreamStatus = error.upstreamStatus;
  if (error.retryAfterSeconds !== undefined) wire.retryAfterSeconds = error.retryAfterSeconds;
  if (error.vendorError !== undefined) wire.vendorError = error.vendorError;
  if (error.servedBefore !== undefined) wire.servedBefore = error.servedBefore;
  if (error.fields !== undefined) wire.fields = error.fields;
  if (error.issues !== undefined) wire.issues = error.issues;
  if (error.failures !== undefined) wire.failures = error.failures;
  return wire;
}

/** Rebuilds the error that `toWire` took apart. A code of a newer peer becomes the known code of the same status. */
export function fromWire(wire: WireError): AppError {
  const { code, message, ...rest } = wire;
  const options: AppErrorOptions = rest;
  return new AppError(isErrorCode(code) ? code : codeForStatus(wire.status), message, options);
}

/** The general code of a status, for errors that come without one of ours (an unknown code, a framework's error). */
export function codeForStatus(status: number | undefined): ErrorCode {
  if (status === undefined) return 'INTERNAL_ERROR';
  return generalCodes[status] ?? (status >= 400 && status < 500 ? 'INVALID_INPUT' : 'INTERNAL_ERROR');
}

const generalCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMIT',
  503: 'SERVICE_UNAVAILABLE',
};
