import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { allotSlots, type FreeSlots } from '../../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.js';
import { FIRST_ENDPOINT, leaseHeads, lockClaiming, scanEndpoints } from '../../store/delivery-queues.js';

/** Endpoints scanned by one claim; bounds its cost. */
const ENDPOINTS_PER_CLAIM = 256;

/** The start of the ring of endpoints. */
export const FIRST_CURSOR = FIRST_ENDPOINT;

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Where the next claim continues; FIRST_CURSOR when this one reached the end of the ring. */
  cursor: string;
  /** Time until the next retry of the scanned endpoints is due. */
  nextDueInMs: number | undefined;
}

/**
 * Claims up to `free` due deliveries, dealt fairly among the next endpoints after `cursor`. Claims that pass on the
 * cursor visit all endpoints in rotation, so that none waits longer than one round.
 */
export async function claimDeliveries(
  ctx: Pick<Context, 'queuePool' | 'limits'>,
  cursor: string,
  free: FreeSlots,
): Promise<Claim> {
  const { perEndpoint, leaseMarginMs } = ctx.limits;
  return await withTransaction(ctx.queuePool, async (tx) => {
    await lockClaiming(tx);
    const { demands, isEnd, nextDueInMs } = await scanEndpoints(tx, cursor, ENDPOINTS_PER_CLAIM, perEndpoint);
    const { quotas, lastServed } = allotSlots(demands, free, perEndpoint);
    const deliveries = quotas.size === 0 ? [] : await leaseHeads(tx, quotas, leaseMarginMs);
    const wasEveryoneServed = lastServed === demands.at(-1)?.webhookId;
    const next = wasEveryoneServed && isEnd ? FIRST_CURSOR : (lastServed ?? cursor);
    return { deliveries, cursor: next, nextDueInMs };
  });
}
