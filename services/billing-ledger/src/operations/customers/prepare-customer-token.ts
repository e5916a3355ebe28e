import type { PrepareCustomerTokenRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { CustomerRecord } from '../../store/customers/customer-records.js';
import { grantPromo } from '../credit/grant-promo.js';
import { subscribe } from '../tiers/subscribe.js';
import { findTier, type TierRecord } from '../tiers/write-tier.js';
import { findCustomer } from './find-customer.js';

export interface PreparedToken {
  customer: CustomerRecord;
  tier: TierRecord | undefined;
}

/**
 * Returns the customer and the tier of a token. In a managed project, subscribes a customer without a subscription to the
 * requested free or PAYGO tier; a paid tier requires a checkout (DECISIONS 2 and 3.1).
 */
export async function prepareCustomerToken(
  ctx: Pick<Context, 'clock' | 'pool' | 'relay' | 'subjects'>,
  principal: Principal,
  req: PrepareCustomerTokenRequest,
): Promise<PreparedToken> {
  const by = req.by.case === 'customerId' ? { case: 'id' as const, value: req.by.value } : req.by;
  const found = await findCustomer(ctx, principal.projectId, by);
  if (principal.byob) return { customer: found, tier: undefined };
  const customer = found.subscription ? found : await subscribeFirst(ctx, found, req.tierCode);
  const current = customer.subscription?.tier;
  if (!current) throw new AppError('NOT_FOUND', 'customer not found');
  if (req.tierCode && req.tierCode !== current.tierCode)
    throw new AppError('CONFLICT', `the customer is subscribed to tier ${current.tierCode}`);
  const tier = await findTier(ctx, principal.projectId, { case: 'id', value: current.id });
  await grantPromo(ctx, principal, customer, tier);
  return { customer, tier };
}

/** Subscribes the customer. If several tokens are minted concurrently, the first one's tier applies. */
async function subscribeFirst(
  ctx: Pick<Context, 'clock' | 'pool' | 'relay' | 'subjects'>,
  customer: CustomerRecord,
  tierCode: string,
): Promise<CustomerRecord> {
  if (!tierCode) throw new AppError('INVALID_INPUT', 'tier_code is required: the customer has no subscription');
  const { projectId } = customer;
  const tier = await findTier(ctx, projectId, { case: 'tierCode', value: tierCode });
  if (tier.billingMode === 'subscription' && tier.priceAmountCents !== null) {
    const message = `tier ${tier.tierCode} is paid; the customer subscribes through checkout`;
    throw new AppError('SUBSCRIPTION_INACTIVE', message);
  }
  await subscribe(ctx, customer, { tier, status: 'active', billingProvider: null, onlyFirst: true });
  return findCustomer(ctx, projectId, { case: 'id', value: customer.id });
}
