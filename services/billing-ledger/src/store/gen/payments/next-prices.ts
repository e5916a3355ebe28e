// Generated from payments/next-prices.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface CountOtherPricesInput {
  tierId: string;
  priceRef: string;
  currency: string;
  interval: string;
}

export interface CountOtherPricesRow {
  subscriptions: bigint | null;
  beforeCents: bigint | null;
}

const COUNT_OTHER_PRICES = `
  SELECT count(*) AS subscriptions, coalesce(sum(p.price_amount_cents), 0)::bigint AS "beforeCents"
  FROM processor_subscriptions p, subscriptions s
  WHERE p.tier_id = $1
    AND s.customer_id = p.customer_id AND s.billing_subscription_id = p.id
    AND p.status IN ('active', 'trialing', 'past_due') AND NOT p.cancels_at_period_end
    AND p.price_ref IS DISTINCT FROM $2 AND p.price_currency = $3 AND p.price_interval = $4`;

/** Adds up the subscriptions of a tier that pay another price than its present one, in the same currency and interval. */
export async function countOtherPrices(db: Queryable, input: CountOtherPricesInput): Promise<CountOtherPricesRow | undefined> {
  const { rows } = await db.query<CountOtherPricesRow>({
    name: 'count_other_prices',
    text: COUNT_OTHER_PRICES,
    values: [
      input.tierId,
      input.priceRef,
      input.currency,
      input.interval,
    ],
  });
  return rows[0];
}

export interface ScheduleNextPricesInput {
  priceRef: string;
  leadMs: bigint | number;
  tierId: string;
  currency: string;
  interval: string;
}

export interface ScheduleNextPricesRow {
  subscriptions: bigint | null;
  beforeCents: bigint | null;
}

const SCHEDULE_NEXT_PRICES = `
  WITH scheduled AS (
    UPDATE processor_subscriptions p
    SET next_price_ref = $1, next_price_at = p.period_end - $2::bigint * interval '1 millisecond'
    FROM subscriptions s
    WHERE p.tier_id = $3
      AND s.customer_id = p.customer_id AND s.billing_subscription_id = p.id
      AND p.status IN ('active', 'trialing', 'past_due') AND NOT p.cancels_at_period_end
      AND p.price_ref IS DISTINCT FROM $1 AND p.price_currency = $4 AND p.price_interval = $5
    RETURNING p.price_amount_cents
  )
  SELECT count(*) AS subscriptions, coalesce(sum(price_amount_cents), 0)::bigint AS "beforeCents" FROM scheduled`;

/** Schedules the tier's present price for the same subscriptions, shortly before each renewal. */
export async function scheduleNextPrices(db: Queryable, input: ScheduleNextPricesInput): Promise<ScheduleNextPricesRow | undefined> {
  const { rows } = await db.query<ScheduleNextPricesRow>({
    name: 'schedule_next_prices',
    text: SCHEDULE_NEXT_PRICES,
    values: [
      input.priceRef,
      input.leadMs,
      input.tierId,
      input.currency,
      input.interval,
    ],
  });
  return rows[0];
}

export interface TakeDueNextPricesInput {
  now: Date;
  limit: bigint | number;
  retryAt: Date;
}

export interface TakeDueNextPricesRow {
  id: string;
}

const TAKE_DUE_NEXT_PRICES = `
  WITH due AS (
    SELECT id FROM processor_subscriptions WHERE next_price_at <= $1::timestamptz ORDER BY next_price_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE processor_subscriptions SET next_price_at = $3
  WHERE id = ANY (ARRAY(SELECT id FROM due))
  RETURNING id`;

/** Claims subscriptions that are due to get another price, and schedules the next attempt. */
export async function takeDueNextPrices(db: Queryable, input: TakeDueNextPricesInput): Promise<TakeDueNextPricesRow[]> {
  const { rows } = await db.query<TakeDueNextPricesRow>({
    name: 'take_due_next_prices',
    text: TAKE_DUE_NEXT_PRICES,
    values: [
      input.now,
      input.limit,
      input.retryAt,
    ],
  });
  return rows;
}
