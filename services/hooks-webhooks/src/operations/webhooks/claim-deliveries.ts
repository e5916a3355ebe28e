import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { allotSlots, type FreeSlots } from '../../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.js';
import { FIRST_ENDPOINT, leaseHeads, lockClaiming, scanEndpoints } from '../../store/lanes.js';

/** Endpoints looked at by one claim: bounds its cost, whatever the number of endpoints with waiting deliveries. */
const ENDPOINTS_PER_CLAIM = 256;

/** The beginning of the ring of endpoints. */
export const FIRST_CURSOR = FIRST_ENDPOINT;

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Where the next claim goes on; FIRST_CURSOR when this one reached the end of the ring. */
  cursor: string;
  /** Until the next retry of the endpoints that were looked at is due. */
  nextDueInMs: number | undefined;
}

/**
 * Takes up to `free` due deliveries, dealt fairly among the next endpoints behind `cursor`. Claims that pass the cursor
 * on go round all endpoints, so none waits longer than one round for its turn.
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
