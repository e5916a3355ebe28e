import { AppError, type AppErrorOptions } from './app-error.js';
import { type ErrorCode, isErrorCode } from './catalog.js';

/**
 * An AppError as a plain JSON object, for travel between services. Status, retryability and attribution always travel,
 * so that a peer that does not know a newer code still handles the error correctly.
 */
export interface WireError extends WireOptions {
  code: string;
  message: string;
}

/** All fields of an error other than its code, its message and the private `cause`. */
type WireOptions = Omit<AppErrorOptions, 'cause'>;

/** Every option once: the type checks that none is missing. */
const OPTIONS = Object.keys({
  status: true,
  retryable: true,
  layer: true,
  causeKind: true,
  detail: true,
  requestId: true,
  providerRequestId: true,
  upstreamStatus: true,
  retryAfterSeconds: true,
  vendorError: true,
  servedBefore: true,
  actionUrl: true,
  fields: true,
  issues: true,
  failures: true,
} satisfies Record<keyof WireOptions, true>) as (keyof WireOptions)[];

/** Converts an error without `cause` and stack. Absent fields are omitted. */
export function toWire(error: AppError): WireError {
  const options = OPTIONS.flatMap((name) => (error[name] === undefined ? [] : [[name, error[name]]]));
  return { code: error.code, message: error.message, ...Object.fromEntries(options) };
}

/** Restores the error from the result of `toWire`. A code of a newer peer becomes the known code of the same status. */
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
