import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { allotSlots, type FreeSlots } from '../../domain/webhooks/allot-slots.js';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.js';
import { leaseHeads, lockEndpoints, readDemands } from '../../store/delivery-queues.js';

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Where the next claim continues in the ring of endpoints. */
  next: string;
  /** Whether another process was claiming deliveries of an endpoint that this claim has visited. */
  hasSkipped: boolean;
  /** Time until the next retry of the visited endpoints is due. */
  nextDueInMs: number | undefined;
}

/**
 * Claims up to `free` due deliveries, dealt fairly among the next endpoints after `after`. Claims that pass on their position visit all
 * endpoints in rotation, so that none waits longer than one round. An endpoint is locked before its attempts are counted, so that its limit
 * holds in all processes; claims of other endpoints do not wait for it.
 */
export async function claimDeliveries(
  ctx: Pick<Context, 'queuePool' | 'limits'>,
  after: string,
  free: FreeSlots,
): Promise<Claim> {
  const { perEndpoint, leaseMarginMs } = ctx.limits;
  return await withTransaction(ctx.queuePool, async (tx) => {
    const { keys, next, hasSkipped, nextDueInMs } = await lockEndpoints(tx, after, free, perEndpoint);
    if (keys.length === 0) return { deliveries: [], next, hasSkipped, nextDueInMs };
    const found = await readDemands(tx, keys, perEndpoint);
    const { quotas, lastServed } = allotSlots(found.demands, free, perEndpoint);
    const deliveries = quotas.size === 0 ? [] : await leaseHeads(tx, quotas, leaseMarginMs);
    const areAllServed = lastServed === found.demands.at(-1)?.webhookId;
    const waits = [nextDueInMs, found.nextDueInMs].filter((ms) => ms !== undefined);
    return {
      deliveries,
      next: areAllServed ? next : lastServed!,
      hasSkipped,
      nextDueInMs: waits.length > 0 ? Math.min(...waits) : undefined,
    };
  });
}
