import type { Call } from '@tollgate/rpc';
import type { HotExchange } from './hot-exchange.js';

const TIMEOUT_MS = 10_000;

/**
 * Frees what may have been reserved for a turn that certainly was not dispatched: nobody else knows of the hold yet. When
 * the ledger does not hear, the hold's expiry decides.
 */
export async function releaseHold({ ctx, ids, route }: HotExchange, call: Call): Promise<void> {
  const facts = { status: 499, success: false, errorCode: 'CANCELED', stopReason: 'canceled' };
  try {
    await ctx.clients.billing.settle({ requestId: ids.billing, usage: {}, facts }, call.detached(TIMEOUT_MS));
  } catch (err) {
    ctx.logger.warn({ err, request_id: ids.public, path: route.path }, 'a hold is left to its expiry');
  }
}
