import { isErrorCode, isRefusalCode, refusalStatus } from '@tollgate/errors';
import type { RunFailure } from './failure.js';

/**
 * An admission refusal as the run's events may show it. A run that a customer started can be read by that customer, so
 * limits on the owner's side show up neutrally there; the journal keeps the true code.
 */
export function refusalFailure(refusal: { code: string; message: string }, askedByCustomer: boolean): RunFailure {
  const { code, message } = refusal;
  if (isRefusalCode(code)) {
    const view = refusalStatus(code, askedByCustomer ? 'customer' : 'project');
    return view.code === code ? { code, message: message || view.message } : { code: view.code, message: view.message };
  }
  return { code: isErrorCode(code) ? code : 'INVALID_INPUT', message };
}
