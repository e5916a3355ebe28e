import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../../context.js';
import { currentPeriod } from '../../../domain/billing-window.js';
import { isEnded } from '../../../domain/payments/effective-subscription.js';
import {
  lockCustomerById,
  readSubscriptionState,
  scheduleEnd,
} from '../../../store/payments/customer-subscriptions.js';
import { findCustomer } from '../../customers/find-customer.js';
import type { PaymentContext } from '../payment-context.js';
import { syncSubscription } from '../webhook-events/sync-subscription.js';
import { scheduleCancellation } from './change-tier.js';

/** Cancels a subscription at its period's end: at the processor, or in our record if the processor does not bill it. */
export async function cancelSubscription(ctx: PaymentContext, principal: Principal, customerId: string): Promise<void> {
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: customerId });
  const { subscription } = customer;
  if (!subscription) throw new AppError('NOT_FOUND', 'the customer has no subscription');
  if (isEnded(subscription.subscriptionStatus)) return;
  const processorId = subscription.billingSubscriptionId;
  if (!processorId || subscription.billingProvider !== 'stripe') return scheduleLocalEnd(ctx, customer.id);
  const processor = await syncSubscription(ctx, processorId);
  if (!processor || isEnded(processor.status)) return;
  if (!processor.cancel_at_period_end && processor.cancel_at === null) await scheduleCancellation(ctx, processorId);
}

async function scheduleLocalEnd(ctx: Pick<Context, 'clock' | 'pool'>, customerId: string): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    const stored = (await lockCustomerById(tx, customerId)) && (await readSubscriptionState(tx, customerId));
    if (!stored || isEnded(stored.status)) return;
    const { endMs } = currentPeriod(stored.schedule, ctx.clock.nowMs());
    await scheduleEnd(tx, customerId, new Date(endMs));
  });
}
