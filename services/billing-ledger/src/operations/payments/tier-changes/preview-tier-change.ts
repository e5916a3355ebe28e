import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type Stripe from 'stripe';
import { ask } from '../../../clients/processor.js';
import { periodFrom, toInterval } from '../../../domain/billing-window.js';
import type { CustomerRecord } from '../../../store/customers/customer-records.js';
import { findCustomer } from '../../customers/find-customer.js';
import { findTier, type TierRecord } from '../../tiers/write-tier.js';
import { checkBuyable, trialDaysFor } from '../checkouts/create-checkout.js';
import { requireSamePrice } from '../checkouts/tier-price.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { requirePlanItem } from '../webhook-events/seen-subscription.js';
import type { TierChangeAction } from './change-tier.js';
import { type PlannedTierChange, planTierChange } from './plan-tier-change.js';

const DAY_MS = 86_400_000;

export interface TierChangePreview {
  /** `checkout`: the tier has to be bought first. */
  action: TierChangeAction | 'checkout';
  /** Empty where no money is involved. */
  currency: string;
  /** Charged when the change is made. */
  dueNowCents: bigint;
  /** Deducted from later invoices. */
  creditCents: bigint;
  /** Undefined: at once. */
  effectiveAt?: Date | undefined;
  /** The next regular payment. */
  next?: { cents: bigint; at: Date } | undefined;
  /** Set if a trial starts. */
  trialDays?: number | undefined;
}

/** Returns what a change to the tier would do now. @throws AppError where the change would be refused */
export async function previewTierChange(
  ctx: PaymentContext,
  principal: Principal,
  req: { customerId: string; tierCode: string },
): Promise<TierChangePreview> {
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: req.customerId });
  if (!customer.subscription) {
    const tier = await findTier(ctx, principal.projectId, { case: 'tierCode', value: req.tierCode });
    return previewPurchase(ctx, customer, tier);
  }
  const planned = await planTierChange(ctx, principal, req);
  const { change, to } = planned;
  switch (change.kind) {
    case 'unchanged':
      return free('unchanged');
    case 'switch':
      return free('changed');
    case 'purchase':
      return previewPurchase(ctx, planned.customer, to);
    case 'schedule_cancellation':
      return { ...free('scheduled_cancellation'), effectiveAt: planned.customer.subscription.currentPeriodEnd };
    case 'reprice':
      return previewReprice(ctx, planned, change.action);
  }
}

function free(action: TierChangeAction): TierChangePreview {
  return { action, currency: '', dueNowCents: 0n, creditCents: 0n };
}

async function previewPurchase(
  ctx: PaymentContext,
  customer: CustomerRecord,
  tier: TierRecord,
): Promise<TierChangePreview> {
  checkBuyable(tier);
  await requireSamePrice(ctx, tier);
  const trialDays = await trialDaysFor(ctx, tier, customer);
  const cents = tier.priceAmountCents ?? 0n;
  const nowMs = ctx.clock.nowMs();
  const nextMs =
    trialDays === undefined ? periodFrom(nowMs, toInterval(tier.priceInterval)).endMs : nowMs + trialDays * DAY_MS;
  return {
    action: 'checkout',
    currency: tier.priceCurrency ?? '',
    dueNowCents: trialDays === undefined ? cents : 0n,
    creditCents: 0n,
    next: { cents, at: new Date(nextMs) },
    trialDays,
  };
}

/** Asks the processor, which knows prorations, discounts and taxes. */
async function previewReprice(
  ctx: PaymentContext,
  { processor, to }: PlannedTierChange,
  action: 'upgraded' | 'downgraded' | 'changed',
): Promise<TierChangePreview> {
  const { stripe } = requireProcessor(ctx);
  const subscription = processor as Stripe.Subscription;
  const item = await requirePlanItem(ctx, subscription);
  await requireSamePrice(ctx, to);
  const invoice = await ask(
    stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: item.id, price: to.billingPriceRef ?? '' }],
        proration_behavior: action === 'upgraded' ? 'always_invoice' : 'create_prorations',
      },
    }),
  );
  const interval = toInterval(to.priceInterval);
  const startsOver = item.price.recurring?.interval !== interval && subscription.status !== 'trialing';
  const prorated = BigInt(sumProrations(invoice));
  const dueNowCents = startsOver ? BigInt(invoice.amount_due) : action === 'upgraded' ? atLeastZero(prorated) : 0n;
  const nextAt = startsOver
    ? new Date(periodFrom(ctx.clock.nowMs(), interval).endMs)
    : new Date(item.current_period_end * 1_000);
  return {
    action,
    currency: invoice.currency,
    dueNowCents,
    creditCents: startsOver ? 0n : atLeastZero(-prorated),
    next: { cents: to.priceAmountCents ?? 0n, at: nextAt },
  };
}

/** A preview also lists the next regular payment, which is not due now. */
function sumProrations({ lines }: Stripe.Invoice): number {
  const prorations = lines.data.filter(({ parent }) => parent?.subscription_item_details?.proration);
  return prorations.reduce((sum, { amount }) => sum + amount, 0);
}

function atLeastZero(cents: bigint): bigint {
  return cents > 0n ? cents : 0n;
}
