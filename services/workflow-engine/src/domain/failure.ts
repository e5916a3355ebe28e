import type { ErrorCode } from '@tollgate/errors';

/** Why a node or a run failed, as its events and snapshot say. */
export interface RunFailure {
  code: ErrorCode;
  message: string;
  /** Where the code that is shown is a neutral one. */
  trueCode?: ErrorCode;
}

/** A value that a node could not make, as data: it fails the node, it is no fault of the engine. */
export type Made<T> = { ok: true; value: T } | { ok: false; failure: RunFailure };

export function made<T>(value: T): Made<T> {
  return { ok: true, value };
}

export function failed(code: ErrorCode, message: string): { ok: false; failure: RunFailure } {
  return { ok: false, failure: { code, message } };
}
