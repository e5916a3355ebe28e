import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { isEnded } from '../../../domain/payments/effective-subscription.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import {
  lockCustomerById,
  readSubscriptionState,
  scheduleEnd,
} from '../../../store/payments/customer-subscriptions.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import { findCustomer } from '../../customers/find-customer.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { applySubscription, syncSubscription } from '../webhook-events/sync-subscription.js';

const ENDED = 'the subscription has ended; it can only be bought again';

/** Takes a scheduled cancellation back: at the processor, or in our record if the processor does not bill it. */
export async function resumeSubscription(
  ctx: PaymentContext,
  principal: Principal,
  customerId: string,
): Promise<CustomerRecord> {
  const read = () => findCustomer(ctx, principal.projectId, { case: 'id', value: customerId });
  const customer = await read();
  const { subscription } = customer;
  if (!subscription) throw new AppError('NOT_FOUND', 'the customer has no subscription');
  const processorId = subscription.billingSubscriptionId;
  if (processorId && subscription.billingProvider === 'stripe') await resumeAtProcessor(ctx, processorId);
  else await resumeLocally(ctx, customer.id);
  return read();
}

/** Decides on the processor's state: a cancellation made there counts. */
async function resumeAtProcessor(ctx: PaymentContext, id: string): Promise<void> {
  const processor = await syncSubscription(ctx, id);
  if (!processor || isEnded(processor.status)) throw new AppError('CONFLICT', ENDED);
  if (!processor.cancel_at_period_end && processor.cancel_at === null) return;
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const change = processor.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const };
  await applySubscription(ctx, await ask(stripe.subscriptions.update(id, change)), ticket);
}

async function resumeLocally(ctx: Pick<Context, 'clock' | 'pool'>, customerId: string): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    const stored = (await lockCustomerById(tx, customerId)) && (await readSubscriptionState(tx, customerId));
    const isOver = stored?.cancelAt !== undefined && stored.cancelAt.getTime() <= ctx.clock.nowMs();
    if (!stored || isEnded(stored.status) || isOver) throw new AppError('CONFLICT', ENDED);
    if (stored.cancelAt !== undefined) await scheduleEnd(tx, customerId, null);
  });
}
