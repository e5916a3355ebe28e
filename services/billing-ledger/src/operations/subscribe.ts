import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { appendEvents } from '@tollgate/events';
import { centsToMicrocents } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { type BillingWindow, periodFrom } from '../domain/billing-window.js';
import { COUNTER_ACCOUNTS } from '../domain/counter-accounts.js';
import { openAccount } from '../store/accounts.js';
import { lockCustomer } from '../store/customers.js';
import { claimPromo, putSubscription } from '../store/subscriptions.js';
import { insertTransfer } from '../store/transfers.js';
import type { CustomerRecord } from './customer-envelope.js';
import { subscriptionEvent } from './customer-events.js';
import type { TierRecord } from './write-tier.js';

export interface NewSubscription {
  tier: TierRecord;
  status: string;
  billingProvider: string | null;
  period?: BillingWindow;
}

/** Puts the customer on a tier: subscription, event, and the tier's promo credit where it was never granted before. */
export async function subscribe(
  ctx: Context,
  principal: Principal,
  customer: CustomerRecord,
  to: NewSubscription,
): Promise<void> {
  const period = to.period ?? periodFrom(ctx.clock.nowMs(), to.tier.priceInterval === 'year' ? 'year' : 'month');
  const values = {
    projectId: customer.projectId,
    customerId: customer.id,
    tierId: to.tier.id,
    billingProvider: to.billingProvider,
    status: to.status,
    periodStart: new Date(period.startMs),
    periodEnd: new Date(period.endMs),
  };
  await withTransaction(ctx.pool, async (tx) => {
    if (!(await lockCustomer(tx, customer.projectId, customer.id)))
      throw new AppError('NOT_FOUND', 'customer not found');
    await putSubscription(tx, values);
    await grantPromo(tx, principal, customer, to.tier);
    const ids = { billingCustomerId: null, billingSubscriptionId: null };
    await appendEvents(tx, [subscriptionEvent({ ...values, ...ids, tierCode: to.tier.tierCode })]);
  });
  ctx.subjects.dropCustomer(customer.id);
  ctx.relay.wake();
}

/** Once per (project, external id), also after the customer was deleted and created again (DECISIONS 3.1). */
async function grantPromo(tx: Tx, principal: Principal, customer: CustomerRecord, tier: TierRecord): Promise<void> {
  if (tier.promoCreditsCents === null || tier.promoCreditsCents === 0n) return;
  if (!(await claimPromo(tx, customer.projectId, customer.externalId))) return;
  const wallet = await openAccount(tx, principal.accountId, { kind: 'wallet', refId: customer.id });
  await insertTransfer(tx, {
    debit: COUNTER_ACCOUNTS.promo,
    credit: wallet.id,
    amountMicrocents: centsToMicrocents(tier.promoCreditsCents),
    kind: 'promo',
    cause: customer.id,
  });
}
