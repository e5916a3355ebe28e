import type { CreateCheckoutRequest } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import type { Context } from '../../../context.js';
import { describeMissingPrice } from '../../../domain/payments/change-tier.js';
import { isHeld } from '../../../domain/payments/effective-subscription.js';
import { returnUrlFaults } from '../../../domain/payments/return-url.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import { hadTrial } from '../../../store/payments/trial-grants.js';
import { findCustomer } from '../../customers/find-customer.js';
import { findTier, type TierRecord } from '../../tiers/write-tier.js';
import { openPortal } from '../cards/billing-portal.js';
import { ensureProcessorCustomer } from '../ensure-processor-customer.js';
import { openSession } from '../orders/open-order.js';
import { orderMetadata } from '../orders/order-metadata.js';
import { toChangeTier } from '../tier-changes/plan-tier-change.js';
import { requireOffered } from '../tier-changes/require-offered.js';
import { requireSamePrice } from './tier-price.js';

/**
 * Creates a checkout session for a paid tier. The processor's webhook event creates the subscription. A customer whose
 * subscription is not paid gets its page at the processor instead.
 */
export async function createCheckout(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'processor'>,
  principal: Principal,
  req: CreateCheckoutRequest,
): Promise<{ sessionId: string; url: string }> {
  checkReturnUrls(req);
  if (principal.byob) throw new AppError('CONFLICT', 'this project bills its customers outside of Tollgate');
  const customer = req.customerId
    ? await findCustomer(ctx, principal.projectId, { case: 'id', value: req.customerId })
    : undefined;
  const by = req.tier.case === 'tierId' ? { case: 'id' as const, value: req.tier.value } : req.tier;
  const tier = await findTier(ctx, principal.projectId, by as { case: 'id' | 'tierCode'; value: string });
  requireOffered(principal, tier, customer?.subscription?.tier.id);
  checkBuyable(tier);
  const isUnpaid = customer !== undefined && hasUnpaidSubscription(customer);
  if (customer && !isUnpaid) checkFree(customer);
  await requireSamePrice(ctx, tier);
  const payer = customer && (await ensureProcessorCustomer(ctx, 'customer', customer.id, customer.email));
  if (payer && isUnpaid) {
    const { id, url } = await openPortal(ctx, { customer: payer, return_url: req.successUrl });
    return { sessionId: id, url };
  }
  const trialDays = await trialDaysFor(ctx, tier, customer);
  const order = {
    kind: 'subscription' as const,
    accountId: principal.accountId,
    projectId: principal.projectId,
    customerId: customer?.id,
    tierId: tier.id,
  };
  return openSession(ctx, order, (orderId) => toSessionParams({ orderId, tier, payer, trialDays, req }));
}

export function checkReturnUrls(urls: { successUrl: string; cancelUrl: string }): void {
  const fields = returnUrlFaults({ success_url: urls.successUrl, cancel_url: urls.cancelUrl });
  if (fields.length > 0)
    throw new AppError('VALIDATION_ERROR', `${fields[0]?.field} ${fields[0]?.message}`, { fields });
}

/** Returns the tier's trial, once per project and external id, even if the customer was deleted and created again. */
export async function trialDaysFor(
  ctx: Pick<Context, 'pool'>,
  tier: TierRecord,
  customer: CustomerRecord | undefined,
): Promise<number | undefined> {
  if (!tier.trialDays) return undefined;
  if (customer && (await hadTrial(ctx.pool, customer.projectId, customer.externalId))) return undefined;
  return tier.trialDays;
}

/** @throws AppError for a tier that no checkout can sell */
export function checkBuyable(tier: TierRecord): void {
  const asked = toChangeTier(tier);
  const { billingMode, priceCents } = asked;
  if (billingMode === 'paygo' || priceCents === 0n)
    throw new AppError(
      'INVALID_INPUT',
      `tier ${tier.tierCode} is not a paid tier: mint a customer token with its tier_code`,
    );
  if (!asked.hasProcessorPrice) throw new AppError('CONFLICT', describeMissingPrice(asked));
}

/** What such a customer needs is another card: its page at the processor, not another subscription. */
function hasUnpaidSubscription({ subscription }: CustomerRecord): boolean {
  const isUnpaid = subscription !== null && ['past_due', 'unpaid'].includes(subscription.subscriptionStatus);
  return isUnpaid && subscription.billingProvider === 'stripe' && subscription.billingSubscriptionId !== null;
}

function checkFree({ subscription }: CustomerRecord): void {
  if (!subscription || !isHeld(subscription.subscriptionStatus)) return;
  const isBilledByProcessor = subscription.billingProvider === 'stripe' && subscription.billingSubscriptionId !== null;
  if (isBilledByProcessor || toChangeTier(subscription.tier).priceCents > 0n)
    throw new AppError('CONFLICT', 'the customer has a paid subscription; change its tier instead');
}

interface SessionInput {
  orderId: string;
  tier: TierRecord;
  payer: string | undefined;
  trialDays: number | undefined;
  req: CreateCheckoutRequest;
}

function toSessionParams({ orderId, tier, payer, trialDays, req }: SessionInput): Stripe.Checkout.SessionCreateParams {
  const metadata = orderMetadata(orderId, tier.id);
  return {
    mode: 'subscription',
    line_items: [{ price: tier.billingPriceRef ?? '', quantity: 1 }],
    success_url: req.successUrl,
    cancel_url: req.cancelUrl,
    client_reference_id: orderId,
    metadata,
    ...(tier.allowPromotionCodes && { allow_promotion_codes: true }),
    subscription_data: { metadata, ...(trialDays !== undefined && { trial_period_days: trialDays }) },
    ...(payer !== undefined && { customer: payer }),
  };
}
