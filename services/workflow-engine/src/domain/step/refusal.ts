import { AppError, errorForAudience, isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';

/** An admission refusal as a failure; whatever is no code of ours is the request's fault. */
export function refusalFailure({ code, message }: { code: string; message: string }): RunFailure {
  return { code: isErrorCode(code) ? code : 'INVALID_INPUT', message };
}

/**
 * A failure as the run's events may show it. A run that a customer started can be read by that customer, so whatever
 * is about the owner's money shows up neutrally there; the journal keeps the true code.
 */
export function visibleFailure(failure: RunFailure, askedByCustomer: boolean): RunFailure {
  if (!askedByCustomer) return failure;
  const shown = errorForAudience(new AppError(failure.code, failure.message), 'customer');
  return shown.code === failure.code ? failure : { code: shown.code, message: shown.message, trueCode: failure.code };
}
