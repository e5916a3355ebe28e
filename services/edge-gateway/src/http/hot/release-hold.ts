import type { Call } from '@tollgate/rpc';
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
