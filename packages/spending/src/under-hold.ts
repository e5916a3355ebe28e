import type { Call } from '@tollgate/rpc';
import { classify } from './classify.js';
import { type HoldRef, type Ledger, release, supersede } from './ledger.js';

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
    const fate = classify(error);
    if (fate === 'undelivered') {
      hold.isUndispatched = true;
      void release(ledger, hold, 'SERVICE_UNAVAILABLE', call);
    } else if (fate !== 'final' && !call.isAborted) {
      await supersede(ledger, hold, call);
    }
    throw error;
  }
}
