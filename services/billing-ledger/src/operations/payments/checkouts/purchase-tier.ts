import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import { ask, askForMaybe, toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import { readSubscriptionState } from '../../../store/payments/customer-subscriptions.js';
import { endOrder } from '../../../store/payments/payment-orders.js';
import { findProcessorCustomer } from '../../../store/payments/processor-customers.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import type { TierRecord } from '../../tiers/write-tier.js';
import { callForOrder, openOrder } from '../orders/open-order.js';
import { orderMetadata } from '../orders/order-metadata.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { applySubscription } from '../webhook-events/sync-subscription.js';
import { trialDaysFor } from './create-checkout.js';
import { requireSamePrice } from './tier-price.js';

/** The other change ends within seconds, or `resolve-orders` ends it within minutes. */
const RETRY_LATER = { retryable: true, retryAfterSeconds: 30 };

/** Buys a paid tier with the card on file. The payment succeeds immediately or nothing changes. */
export async function purchaseTier(
  ctx: PaymentContext,
  principal: Principal,
  customer: CustomerRecord,
  to: TierRecord,
): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const payer = await findProcessorCustomer(ctx.pool, 'customer', customer.id);
  const card = payer && (await cardOnFile(ctx, payer));
  if (!payer || !card) throw new AppError('PAYMENT_REQUIRED', 'no payment method on file');
  await requireSamePrice(ctx, to);
  const trialDays = await trialDaysFor(ctx, to, customer);
  const orderId = await openOrder(ctx, ctx.clock.nowMs(), {
    kind: 'tier_change',
    accountId: principal.accountId,
    projectId: principal.projectId,
    customerId: customer.id,
    tierId: to.id,
  });
  if (orderId === undefined)
    throw new AppError('CONFLICT', 'another tier change of this customer is in progress', RETRY_LATER);
  await refuseIfOvertaken(ctx, orderId, customer);
  const ticket = await drawTicket(ctx.pool);
  const bought = await callForOrder(ctx, orderId, () =>
    stripe.subscriptions.create(
      {
        customer: payer,
        items: [{ price: to.billingPriceRef ?? '' }],
        default_payment_method: card,
        off_session: true,
        payment_behavior: 'error_if_incomplete',
        metadata: orderMetadata(orderId, to.id),
        ...(trialDays !== undefined && { trial_period_days: trialDays }),
      },
      { idempotencyKey: orderId },
    ),
  );
  await applySubscription(ctx, bought, ticket);
  await endOrder(ctx.pool, orderId, { status: 'completed', at: ctx.clock.now() });
}

/** Refuses if another change or a checkout bought a tier after the decision, so that the customer does not pay twice. */
async function refuseIfOvertaken(
  ctx: Pick<Context, 'clock' | 'pool'>,
  orderId: string,
  { id, subscription }: CustomerRecord,
): Promise<void> {
  const now = await readSubscriptionState(ctx.pool, id);
  if (now?.billingSubscriptionId === subscription?.billingSubscriptionId && now?.tierId === subscription?.tierId)
    return;
  const failure = 'the subscription was changed by another request';
  await endOrder(ctx.pool, orderId, { status: 'failed', at: ctx.clock.now(), failure });
  throw new AppError('CONFLICT', failure, RETRY_LATER);
}

/** Returns the payer's default card, or else the newest saved one. */
async function cardOnFile(ctx: Pick<Context, 'processor'>, payer: string): Promise<string | undefined> {
  const customer = await readPayer(ctx, payer);
  if (!customer) return undefined;
  const preferred = toId(customer.invoice_settings.default_payment_method);
  if (preferred) return preferred;
  const { stripe } = requireProcessor(ctx);
  const kept = await ask(stripe.customers.listPaymentMethods(payer, { type: 'card', limit: 1 }));
  return kept.data[0]?.id;
}

/** Returns the card that the payer has chosen on the processor's page. */
export async function preferredCard(ctx: Pick<Context, 'processor'>, payer: string): Promise<string | undefined> {
  return toId((await readPayer(ctx, payer))?.invoice_settings.default_payment_method);
}

async function readPayer(ctx: Pick<Context, 'processor'>, payer: string): Promise<Stripe.Customer | undefined> {
  const customer = await askForMaybe(requireProcessor(ctx).stripe.customers.retrieve(payer));
  return customer && !customer.deleted ? customer : undefined;
}
