import { type Call, wasNotDelivered } from '@tollgate/rpc';
import type { Spender } from './ask-ledger.js';

const TIMEOUT_MS = 10_000;

const ENDINGS = {
  CANCELED: { status: 499, stopReason: 'canceled' },
  SERVICE_UNAVAILABLE: { status: 503, stopReason: 'error' },
} as const;

/**
 * Frees what may have been reserved for a turn that certainly was not dispatched: nobody else knows of the hold yet. When
 * the ledger does not hear, the hold's expiry decides.
 */
export async function releaseHold({ ctx, ids, route }: Spender, call: Call, why: keyof typeof ENDINGS): Promise<void> {
  const facts = { ...ENDINGS[why], success: false, errorCode: why };
  try {
    await ctx.clients.billing.settle({ requestId: ids.billing, usage: {}, facts }, call.detached(TIMEOUT_MS));
  } catch (err) {
    ctx.logger.warn({ err, request_id: ids.public, path: route.path }, 'a hold is left to its expiry');
  }
}

/** Awaits the call that dispatches admitted work. When the call provably never left, releases the hold. */
export async function dispatched<Answer>(spender: Spender, call: Call, sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    if (wasNotDelivered(error)) {
      spender.ids.isUndispatched = true;
      void releaseHold(spender, call, 'SERVICE_UNAVAILABLE');
    }
    throw error;
  }
}
