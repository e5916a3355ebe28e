import * as grpc from '@grpc/grpc-js';
import { createMessage, decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { type ErrorDetail, ErrorDetailSchema } from '@tollgate/contracts/common/v1/error_pb.js';
import { AppError, asAppError, fromWire, isAppError, isTransientError, toWire, type WireError } from '@tollgate/errors';
import type { Logger } from '@tollgate/runtime';
import { deadlineExceeded } from './call.js';

/** Binary trailer that carries the typed error. */
export const ERROR_TRAILER = 'tollgate-error-bin';

/** Receives each thrown error that is not a contract error once, where it leaves a service. */
export type UnexpectedErrorSink = (error: unknown) => void;

let sink: UnexpectedErrorSink = () => {};

/** The process's logger for faults that callers must not see. */
export function onUnexpectedError(next: UnexpectedErrorSink): void {
  sink = next;
}

/** Logs an error by its kind: an unavailable dependency, after which callers may retry, or a defect of the service. */
export function logUnexpectedErrors(logger: Pick<Logger, 'warn' | 'error'>): void {
  onUnexpectedError((err) => {
    if (isTransientError(err)) logger.warn({ err }, 'call failed: dependency unavailable');
    else logger.error({ err }, 'a call failed unexpectedly');
  });
}

/** Contract errors pass; anything else becomes a neutral error (`asAppError`), its cause kept for the log only. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (isCanceled(error)) return new AppError('RELAY_TIMEOUT', 'the call was canceled', { cause: error });
  sink(error);
  return asAppError(error);
}

function isCanceled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

export function toErrorDetail(error: unknown): ErrorDetail {
  const { code, message, ...extras } = toWire(toAppError(error));
  return createMessage(ErrorDetailSchema, {
    code,
    message,
    extrasJson: Object.keys(extras).length > 0 ? JSON.stringify(extras) : '',
  });
}

export function fromErrorDetail(detail: ErrorDetail): AppError {
  if (detail.code === 'NOT_FOUND' && detail.message.startsWith(NO_SUCH_METHOD)) return notSupported(detail.message);
  const extras = detail.extrasJson ? (JSON.parse(detail.extrasJson) as object) : {};
  return fromWire({ ...extras, code: detail.code, message: detail.message } as WireError);
}

export function toGrpcStatus(error: unknown): Partial<grpc.StatusObject> {
  const appError = toAppError(error);
  const metadata = new grpc.Metadata();
  metadata.set(ERROR_TRAILER, encodeMessage(ErrorDetailSchema, toErrorDetail(appError)));
  return { code: toGrpcCode(appError), details: appError.message, metadata };
}

export function fromGrpcError(error: grpc.ServiceError, method: string): AppError {
  const trailer = error.metadata?.get(ERROR_TRAILER)[0];
  if (Buffer.isBuffer(trailer)) return fromErrorDetail(decodeMessage(ErrorDetailSchema, trailer));
  if (error.code === grpc.status.DEADLINE_EXCEEDED) return deadlineExceeded(method, error);
  if (error.code === grpc.status.CANCELLED)
    return new AppError('RELAY_TIMEOUT', 'the call was canceled', { cause: error });
  if (error.code === grpc.status.UNAVAILABLE) return unreachable(error);
  if (error.code === grpc.status.UNIMPLEMENTED) return notSupported(error);
  return new AppError('INTERNAL_ERROR', 'internal error', { cause: error });
}

function toGrpcCode(error: AppError): grpc.status {
  return grpc.status[error.grpcStatus as keyof typeof grpc.status] ?? grpc.status.UNKNOWN;
}

/** Abort reason of a callee whose reader stopped. */
export function callerLeft(): AppError {
  return new AppError('RELAY_TIMEOUT', 'the caller disconnected');
}

/** No answer: the callee may or may not have received the call. */
export function unreachable(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable', { cause });
}

const NO_SUCH_METHOD = 'no such method';

/** The answer to an item of a lane whose method this version does not have; its caller gets {@link notSupported}. */
export function noSuchMethod(): AppError {
  return new AppError('NOT_FOUND', NO_SUCH_METHOD);
}

class NotDelivered extends Error {}

/** The callee is an earlier version without the method, as during a rolling update. Nothing has happened there. */
function notSupported(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'a required service is being upgraded, try again later', {
    retryable: true,
    cause: new NotDelivered('the callee does not have the method', { cause }),
  });
}

/** How long a client that was refused for load should wait. */
const OVERLOAD_RETRY_AFTER_SECONDS = 1;

/** A refusal for load; nothing has happened at the callee. */
export function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'too many calls in flight', {
    retryAfterSeconds: OVERLOAD_RETRY_AFTER_SECONDS,
    cause: new NotDelivered('the call was refused for load'),
  });
}

/** Reports a call whose request or reply is too large to be carried; only this call fails. */
export function callTooLarge(method: string, what: 'request' | 'reply', bytes: number): AppError {
  sink(new Error(`the ${what} of ${method} has ${bytes} bytes, which is too large to be sent`));
  if (what === 'reply') return new AppError('INTERNAL_ERROR', 'internal error');
  return new AppError('PAYLOAD_TOO_LARGE', 'the request is too large', {
    cause: new NotDelivered('the call was not sent'),
  });
}

/** As `unreachable`, but the call certainly never left. */
export function notDelivered(cause?: unknown): AppError {
  return unreachable(new NotDelivered('the call was not sent', { cause }));
}

/** The same error for a call that failed before it was sent. */
export function neverSent(error: AppError): AppError {
  const cause = new NotDelivered('the call was not sent', { cause: error });
  return new AppError(error.code, error.message, { ...toWire(error), cause });
}

/** Whether a failed call certainly never reached its callee, so that nothing has happened there. */
export function wasNotDelivered(error: unknown): boolean {
  return isAppError(error) && error.cause instanceof NotDelivered;
}
