import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { SetSubscriptionRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import type { CustomerRecord } from './customer-envelope.js';
import { findCustomer } from './find-customer.js';
import { subscribe } from './subscribe.js';
import { findTier } from './write-tier.js';

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
const PROVIDERS = new Set(['stripe', 'crypto', 'app_store', 'external']);

/** Puts a customer on a tier without the card processor: billing that the owner does elsewhere, and seeds. */
export async function setSubscription(
  ctx: Context,
  principal: Principal,
  req: SetSubscriptionRequest,
): Promise<CustomerRecord> {
  const status = req.subscriptionStatus || 'active';
  if (!STATUSES.has(status)) throw new AppError('INVALID_INPUT', `unknown subscription_status: ${status}`);
  if (req.billingProvider && !PROVIDERS.has(req.billingProvider))
    throw new AppError('INVALID_INPUT', `unknown billing_provider: ${req.billingProvider}`);
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: req.customerId });
  const tier = await findTier(ctx, principal.projectId, { case: 'tierCode', value: req.tierCode });
  const { currentPeriodStart: start, currentPeriodEnd: end } = req;
  const period =
    start && end ? { startMs: timestampDate(start).getTime(), endMs: timestampDate(end).getTime() } : undefined;
  if (period && period.endMs <= period.startMs)
    throw new AppError('INVALID_INPUT', 'the period must end after it starts');
  await subscribe(ctx, principal, customer, {
    tier,
    status,
    billingProvider: req.billingProvider || null,
    ...(period && { period }),
  });
  return findCustomer(ctx, principal.projectId, { case: 'id', value: customer.id });
}
