import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { type BillingWindow, periodFrom, toInterval } from '../../domain/billing-window.js';
import { isEnded } from '../../domain/payments/effective-subscription.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import { lockCustomer } from '../../store/customers/customers.js';
import { readSubscriptionState, type SubscriptionState } from '../../store/payments/customer-subscriptions.js';
import { keepTier } from '../../store/tiers/tiers.js';
import { toPriceNow, writeSubscription } from './move-subscription.js';
import type { TierRecord } from './write-tier.js';

export interface NewSubscription {
  tier: TierRecord;
  status: string;
  billingProvider: string | null;
  billingCustomerId?: string | null;
  billingSubscriptionId?: string | null;
  period?: BillingWindow;
  /** Keeps a subscription that the customer already has. */
  onlyFirst?: boolean;
}

/** Subscribes the customer to a tier and emits the event. @throws AppError CONFLICT if the card processor bills the customer */
export async function subscribe(
  ctx: Pick<Context, 'clock' | 'pool' | 'relay' | 'subjects'>,
  customer: CustomerRecord,
  to: NewSubscription,
): Promise<void> {
  await withTransaction(ctx.pool, async (tx) => {
    if (!(await lockCustomer(tx, customer.projectId, customer.id)))
      throw new AppError('NOT_FOUND', 'customer not found');
    if (!(await keepTier(tx, to.tier.id))) throw new AppError('NOT_FOUND', 'tier not found');
    const before = await readSubscriptionState(tx, customer.id);
    if (before && to.onlyFirst) return;
    if (before?.billingProvider === 'stripe' && before.billingSubscriptionId && !isEnded(before.status))
      throw new AppError('CONFLICT', 'the customer has a subscription with the card processor; cancel it first');
    const state = toSubscriptionState(customer, to, before, ctx.clock.nowMs());
    await writeSubscription(tx, before, state, { isDeclared: to.period !== undefined, isAnnounced: true });
  });
  ctx.subjects.dropCustomer(customer.id);
  ctx.relay.wake();
}

/** Keeps the current period when the tier stays the same and no period is given, so that a repeat opens no new allowance. */
function toSubscriptionState(
  customer: CustomerRecord,
  to: NewSubscription,
  before: SubscriptionState | undefined,
  nowMs: number,
): SubscriptionState {
  const running = before?.tierId === to.tier.id ? before : undefined;
  const next = to.period ?? periodFrom(nowMs, toInterval(to.tier.priceInterval));
  const kept = to.period ? undefined : running;
  return {
    projectId: customer.projectId,
    customerId: customer.id,
    tierId: to.tier.id,
    billingProvider: to.billingProvider,
    billingCustomerId: to.billingCustomerId ?? null,
    billingSubscriptionId: to.billingSubscriptionId ?? null,
    status: to.status,
    periodStart: kept?.periodStart ?? new Date(next.startMs),
    periodEnd: kept?.periodEnd ?? new Date(next.endMs),
    price: running && !isEnded(running.status) ? running.price : toPriceNow(to.tier),
  };
}
