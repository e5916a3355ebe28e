import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { ask, toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { periodFrom } from '../../../domain/billing-window.js';
import { isHeld } from '../../../domain/payments/effective-subscription.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import { lockCustomerById, readSubscriptionState } from '../../../store/payments/customer-subscriptions.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import { keepTier } from '../../../store/tiers/tiers.js';
import { findCustomer } from '../../customers/find-customer.js';
import { moveSubscription, toPriceNow } from '../../tiers/move-subscription.js';
import type { TierRecord } from '../../tiers/write-tier.js';
import { withCardPage } from '../cards/billing-portal.js';
import { preferredCard, purchaseTier } from '../checkouts/purchase-tier.js';
import { requireSamePrice } from '../checkouts/tier-price.js';
import { tierMetadata } from '../orders/order-metadata.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { requirePlanItem } from '../webhook-events/seen-subscription.js';
import { applySubscription } from '../webhook-events/sync-subscription.js';
import { type PlannedTierChange, planTierChange, type Subscribed } from './plan-tier-change.js';

export type TierChangeAction = 'upgraded' | 'downgraded' | 'changed' | 'unchanged' | 'scheduled_cancellation';

/** Moves a customer to another tier by the table of SPEC "Customer tier change". */
export async function changeTier(
  ctx: PaymentContext,
  principal: Principal,
  req: { customerId: string; tierCode: string },
): Promise<{ customer: CustomerRecord; action: TierChangeAction }> {
  const planned = await planTierChange(ctx, principal, req);
  const action = await carryOut(ctx, principal, planned).catch(async (error: unknown) => {
    throw await withCardPage(ctx, planned.customer.id, error);
  });
  return { customer: await findCustomer(ctx, principal.projectId, { case: 'id', value: planned.customer.id }), action };
}

async function carryOut(
  ctx: PaymentContext,
  principal: Principal,
  { customer, processor, to, change }: PlannedTierChange,
): Promise<TierChangeAction> {
  switch (change.kind) {
    case 'unchanged':
      return 'unchanged';
    case 'switch':
      await switchTier(ctx, customer, to);
      return 'changed';
    case 'reprice':
      await reprice(ctx, processor as Stripe.Subscription, to, change.action);
      return change.action;
    case 'purchase':
      await purchaseTier(ctx, principal, customer, to);
      return 'upgraded';
    case 'schedule_cancellation':
      await scheduleCancellation(ctx, (processor as Stripe.Subscription).id);
      return 'scheduled_cancellation';
  }
}

/** Changes from free to free. Keeps the window, so that its usage counts against the new tier's limit. */
async function switchTier(
  ctx: Pick<Context, 'clock' | 'pool' | 'relay' | 'subjects'>,
  customer: Subscribed,
  to: TierRecord,
): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    const locked = await lockCustomerById(tx, customer.id);
    const before = locked && (await readSubscriptionState(tx, customer.id));
    if (!(await keepTier(tx, to.id))) throw new AppError('NOT_FOUND', 'tier not found');
    if (!before) throw new AppError('NOT_FOUND', 'the customer has no subscription');
    const period = periodFrom(ctx.clock.nowMs(), 'month');
    const keepsPeriod = isHeld(before.status);
    // Clears an ended subscription of the processor; keeps the reference of any other billing provider.
    const none = { billingProvider: null, billingCustomerId: null, billingSubscriptionId: null };
    await moveSubscription(tx, before, {
      ...before,
      tierId: to.id,
      ...(before.billingProvider === 'stripe' && none),
      status: keepsPeriod ? before.status : 'active',
      periodStart: keepsPeriod ? before.periodStart : new Date(period.startMs),
      periodEnd: keepsPeriod ? before.periodEnd : new Date(period.endMs),
      cancelAt: undefined,
      price: toPriceNow(to),
    });
  });
  ctx.subjects.dropCustomer(customer.id);
  ctx.relay.wake();
}

/** Invoices an upgrade immediately and fails if it is not paid; credits a downgrade to the next invoice. */
async function reprice(
  ctx: PaymentContext,
  processor: Stripe.Subscription,
  to: TierRecord,
  action: 'upgraded' | 'downgraded' | 'changed',
): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const item = await requirePlanItem(ctx, processor);
  await requireSamePrice(ctx, to);
  const card = await preferredCard(ctx, toId(processor.customer) ?? '');
  const ticket = await drawTicket(ctx.pool);
  const updated = await ask(
    stripe.subscriptions.update(processor.id, {
      items: [{ id: item.id, price: to.billingPriceRef ?? '' }],
      metadata: tierMetadata(to.id),
      ...(card && { default_payment_method: card }),
      proration_behavior: action === 'upgraded' ? 'always_invoice' : 'create_prorations',
      payment_behavior: 'error_if_incomplete',
    }),
  );
  await applySubscription(ctx, updated, ticket);
}

/** Schedules the end. When the period ends, the processor's webhook event moves the customer to the default tier. */
export async function scheduleCancellation(ctx: PaymentContext, processorSubscriptionId: string): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const updated = await ask(stripe.subscriptions.update(processorSubscriptionId, { cancel_at_period_end: true }));
  await applySubscription(ctx, updated, ticket);
}
