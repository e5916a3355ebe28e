import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { SetSubscriptionRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { BillingWindow } from '../../domain/billing-window.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import { findCustomer } from '../customers/find-customer.js';
import { subscribe } from './subscribe.js';
import { findTier, type TierRecord } from './write-tier.js';

const STATUSES = new Set([
  'active',
  'trialing',
  'past_due',
  'canceled',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
]);
/** Later periods are derived from this end and must also be valid dates. */
const PERIOD_END_MAX_MS = Date.UTC(9999, 0, 1);
const OWNERS_PROVIDERS = new Set(['external', 'crypto', 'app_store']);

/** Subscribes a customer without the card processor: free tiers, and billing by the owner outside of Tollgate. */
export async function setSubscription(
  ctx: Pick<Context, 'clock' | 'pool' | 'relay' | 'subjects'>,
  principal: Principal,
  req: SetSubscriptionRequest,
): Promise<CustomerRecord> {
  const status = req.subscriptionStatus || 'active';
  if (!STATUSES.has(status)) throw new AppError('INVALID_INPUT', `unknown subscription_status: ${status}`);
  if (req.billingProvider && !OWNERS_PROVIDERS.has(req.billingProvider))
    throw new AppError('INVALID_INPUT', 'billing_provider must be external, crypto or app_store');
  const period = toPeriod(req);
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: req.customerId });
  const tier = await findTier(ctx, principal.projectId, { case: 'tierCode', value: req.tierCode });
  if (isBoughtByCard(tier)) throw new AppError('CONFLICT', `tier ${tier.tierCode} is bought through checkout`);
  await subscribe(ctx, customer, {
    tier,
    status,
    billingProvider: req.billingProvider || externalProvider(tier),
    billingCustomerId: req.billingCustomerId || null,
    billingSubscriptionId: req.billingSubscriptionId || null,
    ...(period && { period }),
  });
  return findCustomer(ctx, principal.projectId, { case: 'id', value: customer.id });
}

function toPeriod({ currentPeriodStart: start, currentPeriodEnd: end }: SetSubscriptionRequest) {
  if (!start && !end) return undefined;
  if (!start || !end) throw new AppError('INVALID_INPUT', 'a period requires a start and an end');
  const period: BillingWindow = { startMs: timestampDate(start).getTime(), endMs: timestampDate(end).getTime() };
  if (period.startMs < 0 || period.endMs > PERIOD_END_MAX_MS)
    throw new AppError('INVALID_INPUT', 'the period must be between the years 1970 and 9998');
  if (period.endMs <= period.startMs) throw new AppError('INVALID_INPUT', 'the period must end after it starts');
  return period;
}

function isBoughtByCard(tier: TierRecord): boolean {
  return tier.priceAmountCents !== null && (tier.billingProvider ?? 'stripe') === 'stripe';
}

function externalProvider({ billingProvider }: TierRecord): string | null {
  return billingProvider !== null && OWNERS_PROVIDERS.has(billingProvider) ? billingProvider : null;
}
