import { appendEvents } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../../context.js';
import { currentPeriod, toAnchor } from '../../../domain/billing-window.js';
import {
  customersWithEndedPeriod,
  type EndedCustomer,
  findEndedPeriod,
  findTierBrief,
  lockCustomerById,
  movePeriod,
} from '../../../store/payments/customer-subscriptions.js';
import { subscriptionEvent } from '../../customers/customer-events.js';
import { fallBack, moveSubscription } from '../../tiers/move-subscription.js';
import type { PaymentContext } from '../payment-context.js';

const BATCH_MAX = 100;

/**
 * Starts the next period of subscriptions that the processor does not renew, and ends those that are scheduled to end.
 * Admission does not depend on it, because it derives the window from the stored period. Continues after the customer at which
 * an earlier call ended, so that those that fail block no others. Returns where to continue; undefined at the end.
 */
export async function rollOverSubscriptions(
  ctx: PaymentContext,
  after: EndedCustomer | undefined,
): Promise<EndedCustomer | undefined> {
  const now = ctx.clock.now();
  const customers = await customersWithEndedPeriod(ctx.pool, now, BATCH_MAX, after);
  for (const { id: customer } of customers) {
    try {
      await rollOver(ctx, customer, now);
    } catch (err) {
      ctx.logger.error({ err, customer }, 'subscription period not rolled over; it will be retried');
    }
  }
  if (customers.length > 0) ctx.relay.wake();
  return customers.length === BATCH_MAX ? customers.at(-1) : undefined;
}

async function rollOver(
  ctx: Pick<Context, 'clock' | 'pool' | 'subjects'>,
  customerId: string,
  now: Date,
): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    if (!(await lockCustomerById(tx, customerId))) return;
    // Another replica, a webhook event or the owner may have changed it.
    const state = await findEndedPeriod(tx, customerId, now);
    if (!state) return;
    if (state.cancelAt && state.cancelAt <= now) {
      await moveSubscription(tx, state, await fallBack(ctx, tx, { ...state, status: 'canceled' }));
      return;
    }
    const next = currentPeriod(state.schedule, now.getTime());
    await movePeriod(tx, customerId, next, toAnchor(state.schedule));
    const tier = await findTierBrief(tx, state.projectId, state.tierId);
    const after = { ...state, periodStart: new Date(next.startMs), periodEnd: new Date(next.endMs) };
    await appendEvents(tx, [subscriptionEvent({ ...after, tierCode: tier?.tier_code ?? '' })]);
  });
  ctx.subjects.dropCustomer(customerId);
}
