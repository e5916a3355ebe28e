import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import type { Context } from '../../../context.js';
import {
  type ChangeSubscription,
  type ChangeTier,
  decideTierChange,
  type TierChange,
} from '../../../domain/payments/change-tier.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import type { Tier } from '../../../store/tiers/tiers.js';
import { findCustomer } from '../../customers/find-customer.js';
import { findTier, type TierRecord } from '../../tiers/write-tier.js';
import type { PaymentContext } from '../payment-context.js';
import { syncSubscription } from '../webhook-events/sync-subscription.js';
import { requireOffered } from './require-offered.js';

export type Subscribed = CustomerRecord & { subscription: NonNullable<CustomerRecord['subscription']> };

export interface PlannedTierChange {
  customer: Subscribed;
  processor: Stripe.Subscription | undefined;
  to: TierRecord;
  change: Exclude<TierChange, { kind: 'refused' }>;
}

/** Decides how a customer gets to the tier. @throws AppError if it cannot */
export async function planTierChange(
  ctx: PaymentContext,
  principal: Principal,
  req: { customerId: string; tierCode: string },
): Promise<PlannedTierChange> {
  const { customer, processor } = await freshCustomer(ctx, principal, req.customerId);
  const to = await maybeTier(ctx, principal, req.tierCode);
  if (to) requireOffered(principal, to, customer.subscription.tier.id);
  const change = decideTierChange(toChangeSubscription(customer, processor), to && toChangeTier(to));
  if (change.kind === 'refused') throw new AppError(change.code, change.message);
  return { customer, processor, to: to as TierRecord, change };
}

/** Refreshes a paid subscription first, because a cancellation made at the processor is authoritative. */
async function freshCustomer(
  ctx: PaymentContext,
  principal: Principal,
  id: string,
): Promise<{ customer: Subscribed; processor: Stripe.Subscription | undefined }> {
  const read = () => findCustomer(ctx, principal.projectId, { case: 'id', value: id });
  let customer = await read();
  const processorId = customer.subscription?.billingSubscriptionId;
  const isFollowed = processorId && customer.subscription?.billingProvider === 'stripe';
  const processor = isFollowed ? await syncSubscription(ctx, processorId) : undefined;
  if (isFollowed) customer = await read();
  if (!customer.subscription) throw new AppError('NOT_FOUND', 'the customer has no subscription');
  return { customer: customer as Subscribed, processor };
}

async function maybeTier(
  ctx: Pick<Context, 'pool'>,
  principal: Principal,
  tierCode: string,
): Promise<TierRecord | undefined> {
  try {
    return await findTier(ctx, principal.projectId, { case: 'tierCode', value: tierCode });
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function toChangeSubscription(
  { subscription }: Subscribed,
  processor: Stripe.Subscription | undefined,
): ChangeSubscription {
  return {
    tier: {
      ...toChangeTier(subscription.tier),
      priceCents: subscription.price.amountCents ?? 0n,
      currency: subscription.price.currency,
    },
    status: subscription.subscriptionStatus,
    billingProvider: subscription.billingProvider,
    processorSubscriptionId: processor && processor.id === subscription.billingSubscriptionId ? processor.id : null,
    isCancellationScheduled: processor
      ? processor.cancel_at_period_end || processor.cancel_at !== null
      : subscription.cancelAt !== null,
  };
}

/** Selects the fields that checkouts and tier changes decide on. The processor cannot charge another provider's price. */
export function toChangeTier(tier: Tier): ChangeTier {
  return {
    id: tier.id,
    billingMode: tier.billingMode === 'paygo' ? 'paygo' : 'subscription',
    priceCents: tier.priceAmountCents ?? 0n,
    currency: tier.priceCurrency,
    hasProcessorPrice:
      tier.billingPriceRef !== null && (tier.billingProvider === null || tier.billingProvider === 'stripe'),
    priceSync: tier.priceSync,
    priceSyncFailure: tier.priceSyncFailure,
    isDefault: tier.isDefault,
  };
}
