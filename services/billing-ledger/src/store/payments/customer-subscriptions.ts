import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import { type BillingWindow, toInterval, type WindowSchedule } from '../../domain/billing-window.js';
import { ENDED_STATUSES, isEnded } from '../../domain/payments/effective-subscription.js';
import { literalList } from '../database.js';
import * as sql from '../gen/payments/customer-subscriptions.js';

/** The fields of a customer's subscription that webhook events and tier changes can change. */
export interface SubscriptionState {
  projectId: string;
  customerId: string;
  tierId: string;
  billingProvider: string | null;
  billingCustomerId: string | null;
  billingSubscriptionId: string | null;
  status: string;
  periodStart: Date;
  periodEnd: Date;
  /** When a scheduled cancellation ends it. */
  cancelAt?: Date | undefined;
  /** The price that the customer pays. Undefined: the tier's price. */
  price?: SubscriptionPrice | undefined;
}

/** A price that a subscription keeps when its tier's changes. A free tier's has an amount of null. */
export interface SubscriptionPrice {
  amountCents: bigint | null;
  currency: string | null;
  interval: string | null;
}

export interface StoredSubscription extends SubscriptionState {
  schedule: WindowSchedule & { hasEnded: boolean };
}

interface StateRow {
  project_id: string;
  customer_id: string;
  tier_id: string;
  billing_provider: string | null;
  billing_customer_id: string | null;
  billing_subscription_id: string | null;
  subscription_status: string;
  current_period_start: Date;
  current_period_end: Date;
  cancel_at: Date | null;
  window_start: Date;
  period_anchor: Date | null;
  has_price: boolean;
  price_amount_cents: bigint | null;
  price_currency: string | null;
  price_interval: string | null;
  interval: string | null;
}

/** The start of a subscription's window. The previous version moves periods and leaves `window_start`, which is then void. */
export const WINDOW_START_SQL = `CASE WHEN s.window_period_start = s.current_period_start THEN s.window_start
  ELSE s.current_period_start END`;
/** The interval of the price that the subscription keeps, or else of its tier `t`. */
export const INTERVAL_SQL = 'CASE WHEN s.price_tier_id = s.tier_id THEN s.price_interval ELSE t.price_interval END';

const SELECT = `SELECT s.project_id, s.customer_id, s.tier_id, s.billing_provider, s.billing_customer_id,
    s.billing_subscription_id, s.subscription_status, s.current_period_start, s.current_period_end, s.cancel_at,
    ${WINDOW_START_SQL} AS window_start, s.period_anchor, coalesce(s.price_tier_id = s.tier_id, false) AS has_price,
    s.price_amount_cents, s.price_currency, s.price_interval, ${INTERVAL_SQL} AS interval
  FROM subscriptions s JOIN tiers t ON t.id = s.tier_id`;

export async function readSubscriptionState(
  tx: Queryable,
  customerId: string,
): Promise<StoredSubscription | undefined> {
  const { rows } = await tx.query<StateRow>(`${SELECT} WHERE s.customer_id = $1`, [customerId]);
  return rows[0] && toStoredSubscription(rows[0]);
}

/** Where the periods and the window of a subscription begin. */
export interface SubscriptionStarts {
  anchorMs: number;
  windowStartMs: number;
}

/** Inserts or replaces the customer's only subscription. */
export async function putSubscriptionState(
  tx: Queryable,
  state: SubscriptionState,
  { anchorMs, windowStartMs }: SubscriptionStarts,
): Promise<void> {
  const { price } = state;
  await sql.putSubscriptionState(tx, {
    ...state,
    id: randomUUID(),
    windowStart: new Date(windowStartMs),
    periodAnchor: new Date(anchorMs),
    priceTierId: price ? state.tierId : null,
    priceAmountCents: price?.amountCents ?? null,
    priceCurrency: price?.currency ?? null,
    priceInterval: price?.interval ?? null,
    cancelAt: state.cancelAt ?? null,
  });
}

export async function scheduleEnd(tx: Queryable, customerId: string, cancelAt: Date | null): Promise<void> {
  await tx.query('UPDATE subscriptions SET cancel_at = $2, updated_at = now() WHERE customer_id = $1', [
    customerId,
    cancelAt,
  ]);
}

/** Moves the same subscription to its next period, with a new window; keeps a scheduled end. */
export async function movePeriod(
  tx: Queryable,
  customerId: string,
  period: BillingWindow,
  anchorMs: number,
): Promise<void> {
  await tx.query(
    `UPDATE subscriptions SET current_period_start = $2, current_period_end = $3, window_period_start = $2, window_start = $2,
       period_anchor = $4, updated_at = now() WHERE customer_id = $1`,
    [customerId, new Date(period.startMs), new Date(period.endMs), new Date(anchorMs)],
  );
}

const ENDED_PERIOD = `s.current_period_end <= $1 AND s.subscription_status NOT IN (${literalList(ENDED_STATUSES)})
  AND (s.billing_provider IS DISTINCT FROM 'stripe' OR s.billing_subscription_id IS NULL)`;

export interface EndedCustomer {
  id: string;
  periodEnd: Date;
}

/** Lists customers whose subscription the processor does not renew and whose period has ended, in order of its end. */
export async function customersWithEndedPeriod(
  db: Queryable,
  now: Date,
  limit: number,
  after: EndedCustomer | undefined,
): Promise<EndedCustomer[]> {
  const { rows } = await db.query<EndedCustomer>(
    `SELECT s.customer_id AS id, s.current_period_end AS "periodEnd" FROM subscriptions s
     WHERE ${ENDED_PERIOD}
       AND ($3::timestamptz IS NULL OR (s.current_period_end, s.customer_id) > ($3::timestamptz, $4::uuid))
     ORDER BY s.current_period_end, s.customer_id LIMIT $2`,
    [now, limit, after?.periodEnd ?? null, after?.id ?? null],
  );
  return rows;
}

/** Reads the ended period of a locked customer; undefined if the processor renews it. */
export async function findEndedPeriod(
  tx: Queryable,
  customerId: string,
  now: Date,
): Promise<StoredSubscription | undefined> {
  const { rows } = await tx.query<StateRow>(`${SELECT} WHERE ${ENDED_PERIOD} AND s.customer_id = $2`, [
    now,
    customerId,
  ]);
  const [row] = rows;
  return row && toStoredSubscription(row);
}

const TIERS_OF_PRICES_MAX = 100;

/** Lists the project's tiers that have one of the processor's prices, oldest first. */
export async function tiersOfPrices(
  db: Queryable,
  projectId: string,
  prices: readonly string[],
): Promise<{ id: string; priceId: string }[]> {
  const { rows } = await db.query<{ id: string; priceId: string }>(
    `SELECT id, billing_price_ref AS "priceId" FROM tiers WHERE project_id = $1 AND billing_price_ref = ANY($2::text[])
     ORDER BY created_at, id LIMIT ${TIERS_OF_PRICES_MAX}`,
    [projectId, prices],
  );
  return rows;
}

export interface TierBrief {
  id: string;
  tier_code: string;
  price_amount_cents: bigint | null;
  price_currency: string | null;
  price_interval: string | null;
}

const BRIEF = 'id, tier_code, price_amount_cents, price_currency, price_interval';

export async function findTierBrief(db: Queryable, projectId: string, id: string): Promise<TierBrief | undefined> {
  const { rows } = await db.query<TierBrief>(`SELECT ${BRIEF} FROM tiers WHERE project_id = $1 AND id = $2`, [
    projectId,
    id,
  ]);
  return rows[0];
}

export async function projectOfTier(db: Queryable, tierId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>('SELECT project_id AS id FROM tiers WHERE id = $1', [tierId]);
  return rows[0]?.id;
}

export async function findDefaultTier(db: Queryable, projectId: string): Promise<TierBrief | undefined> {
  const { rows } = await db.query<TierBrief>(`SELECT ${BRIEF} FROM tiers WHERE project_id = $1 AND is_default`, [
    projectId,
  ]);
  return rows[0];
}

/** Locks the customer to serialize changes of its subscription. Returns undefined if it was deleted. */
export async function lockCustomerById(
  tx: Queryable,
  id: string,
): Promise<{ projectId: string; accountId: string } | undefined> {
  const { rows } = await tx.query<{ projectId: string; accountId: string }>(
    'SELECT project_id AS "projectId", account_id AS "accountId" FROM customers WHERE id = $1 FOR UPDATE',
    [id],
  );
  return rows[0];
}

function toStoredSubscription(row: StateRow): StoredSubscription {
  const period = { startMs: row.current_period_start.getTime(), endMs: row.current_period_end.getTime() };
  return {
    projectId: row.project_id,
    customerId: row.customer_id,
    tierId: row.tier_id,
    billingProvider: row.billing_provider,
    billingCustomerId: row.billing_customer_id,
    billingSubscriptionId: row.billing_subscription_id,
    status: row.subscription_status,
    periodStart: row.current_period_start,
    periodEnd: row.current_period_end,
    ...(row.cancel_at && { cancelAt: row.cancel_at }),
    ...(row.has_price && {
      price: { amountCents: row.price_amount_cents, currency: row.price_currency, interval: row.price_interval },
    }),
    schedule: {
      period,
      interval: toInterval(row.interval),
      anchorMs: row.period_anchor?.getTime(),
      windowStartMs: row.window_start.getTime(),
      hasEnded: isEnded(row.subscription_status),
    },
  };
}
