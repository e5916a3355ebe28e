import type { ErrorCode } from '@tollgate/errors';

/** Why a node or a run failed, as its events and snapshot show it. */
export interface RunFailure {
  code: ErrorCode;
  message: string;
  /** The real code, when `code` is the neutral code that a customer sees. */
  trueCode?: ErrorCode;
}

/** The result of computing a node's value. A failure fails the node; it is not an engine error. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: RunFailure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failed(code: ErrorCode, message: string): { ok: false; failure: RunFailure } {
  return { ok: false, failure: { code, message } };
}
