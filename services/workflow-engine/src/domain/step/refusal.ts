import { AppError, errorForAudience, isErrorCode } from '@tollgate/errors';
import type { RunFailure } from '../failure.js';

/** Converts an admission refusal to a failure. An unknown code counts as an invalid request. */
export function refusalFailure({ code, message }: { code: string; message: string }): RunFailure {
  return { code: isErrorCode(code) ? code : 'INVALID_INPUT', message };
}

/**
 * Returns a failure as the run's events may show it. The customer who started a run can read it, so failures that
 * concern the owner's money become neutral there. The journal keeps the real code.
 */
export function visibleFailure(failure: RunFailure, askedByCustomer: boolean): RunFailure {
  if (!askedByCustomer) return failure;
  const shown = errorForAudience(new AppError(failure.code, failure.message), 'customer');
  return shown.code === failure.code ? failure : { code: shown.code, message: shown.message, trueCode: failure.code };
}
