import type { PrepareCustomerTokenRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { CustomerRecord } from './customer-envelope.js';
import { findCustomer } from './find-customer.js';
import { subscribe } from './subscribe.js';
import { findTier, type TierRecord } from './write-tier.js';

export interface TokenTerms {
  customer: CustomerRecord;
  tier: TierRecord | undefined;
}

/**
 * Whose token it is and under which tier. In a managed project a customer without a subscription is put on the named
 * free or PAYGO tier; a paid tier is bought, never minted (DECISIONS 2 and 3.1).
 */
export async function prepareCustomerToken(
  ctx: Context,
  principal: Principal,
  req: PrepareCustomerTokenRequest,
): Promise<TokenTerms> {
  const by = req.by.case === 'customerId' ? { case: 'id' as const, value: req.by.value } : req.by;
  const customer = await findCustomer(ctx, principal.projectId, by);
  if (principal.byob) return { customer, tier: undefined };
  const current = customer.subscription?.tier;
  if (current) {
    if (req.tierCode && req.tierCode !== current.tierCode)
      throw new AppError('CONFLICT', `the customer is subscribed to tier ${current.tierCode}`);
    return { customer, tier: await findTier(ctx, principal.projectId, { case: 'id', value: current.id }) };
  }
  if (!req.tierCode) throw new AppError('INVALID_INPUT', 'tier_code is required: the customer has no subscription');
  const tier = await findTier(ctx, principal.projectId, { case: 'tierCode', value: req.tierCode });
  if (tier.billingMode === 'subscription' && tier.priceAmountCents !== null) {
    throw new AppError(
      'SUBSCRIPTION_INACTIVE',
      `tier ${tier.tierCode} is paid; the customer subscribes through checkout`,
    );
  }
  await subscribe(ctx, principal, customer, { tier, status: 'active', billingProvider: null });
  return { customer: await findCustomer(ctx, principal.projectId, { case: 'id', value: customer.id }), tier };
}
