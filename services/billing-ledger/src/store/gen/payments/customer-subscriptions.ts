// Generated from payments/customer-subscriptions.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface PutSubscriptionStateInput {
  id: string;
  projectId: string;
  customerId: string;
  tierId: string;
  billingProvider: string | null;
  billingCustomerId: string | null;
  billingSubscriptionId: string | null;
  status: string;
  periodStart: Date;
  periodEnd: Date;
  windowStart: Date;
  periodAnchor: Date;
  priceTierId: string | null;
  priceAmountCents: bigint | number | null;
  priceCurrency: string | null;
  priceInterval: string | null;
  cancelAt: Date | null;
}

const PUT_SUBSCRIPTION_STATE = `
  INSERT INTO subscriptions (id, project_id, customer_id, tier_id, billing_provider, billing_customer_id,
    billing_subscription_id, subscription_status, current_period_start, current_period_end, window_period_start,
    window_start, period_anchor, price_tier_id, price_amount_cents, price_currency, price_interval, cancel_at)
  VALUES ($1, $2, $3, $4, $5, $6,
    $7, $8, $9, $10, $9,
    $11, $12, $13, $14, $15, $16, $17)
  ON CONFLICT (customer_id) DO UPDATE SET
    tier_id = excluded.tier_id, billing_provider = excluded.billing_provider,
    billing_customer_id = excluded.billing_customer_id, billing_subscription_id = excluded.billing_subscription_id,
    subscription_status = excluded.subscription_status, current_period_start = excluded.current_period_start,
    current_period_end = excluded.current_period_end, window_period_start = excluded.window_period_start,
    window_start = excluded.window_start, period_anchor = excluded.period_anchor,
    price_tier_id = excluded.price_tier_id, price_amount_cents = excluded.price_amount_cents,
    price_currency = excluded.price_currency, price_interval = excluded.price_interval,
    cancel_at = excluded.cancel_at, updated_at = now()`;

/** Inserts or replaces the customer's only subscription. */
export async function putSubscriptionState(db: Queryable, input: PutSubscriptionStateInput): Promise<void> {
  await db.query({
    name: 'put_subscription_state',
    text: PUT_SUBSCRIPTION_STATE,
    values: [
      input.id,
      input.projectId,
      input.customerId,
      input.tierId,
      input.billingProvider,
      input.billingCustomerId,
      input.billingSubscriptionId,
      input.status,
      input.periodStart,
      input.periodEnd,
      input.windowStart,
      input.periodAnchor,
      input.priceTierId,
      input.priceAmountCents,
      input.priceCurrency,
      input.priceInterval,
      input.cancelAt,
    ],
  });
}
