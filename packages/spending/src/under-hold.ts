import { type AppError, isAppError } from '@tollgate/errors';
import { type Call, wasNotDelivered } from '@tollgate/rpc';
import { type HoldRef, type Ledger, release, supersede } from './ledger.js';

/** Failures after which the cost of the work is unknown. */
const OUTCOME_UNKNOWN: ReadonlySet<AppError['code']> = new Set([
  'SERVICE_UNAVAILABLE',
  'RELAY_TIMEOUT',
  'INTERNAL_ERROR',
]);

/**
 * Awaits work that was dispatched under a hold. When the work was not delivered, releases the hold. When its outcome is
 * unknown, supersedes the hold: its customer gets an error and must not pay for work without an answer. A client that left
 * pays for what was served.
 */
export async function underHold<Answer>(
  ledger: Ledger,
  hold: HoldRef,
  call: Call,
  work: Promise<Answer>,
): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (wasNotDelivered(error)) {
      hold.isUndispatched = true;
      void release(ledger, hold, 'SERVICE_UNAVAILABLE', call);
    } else if (!call.isAborted && (!isAppError(error) || OUTCOME_UNKNOWN.has(error.code))) {
      await supersede(ledger, hold, call);
    }
    throw error;
  }
}
