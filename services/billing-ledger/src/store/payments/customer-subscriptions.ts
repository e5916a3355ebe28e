import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import { ENDED_STATUSES } from '../../domain/payments/subscription-status.js';
import { literalList } from '../sql-arrays.js';

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
  price_interval: string | null;
}

const COLUMNS = `s.project_id, s.customer_id, s.tier_id, s.billing_provider, s.billing_customer_id, s.billing_subscription_id,
  s.subscription_status, s.current_period_start, s.current_period_end, s.cancel_at`;

export async function readSubscriptionState(tx: Queryable, customerId: string): Promise<SubscriptionState | undefined> {
  const { rows } = await tx.query<StateRow>(`SELECT ${COLUMNS} FROM subscriptions s WHERE s.customer_id = $1`, [
    customerId,
  ]);
  return rows[0] && toSubscriptionState(rows[0]);
}

/** Inserts or replaces the customer's only subscription; clears a scheduled end. */
export async function putSubscriptionState(tx: Queryable, state: SubscriptionState): Promise<void> {
  await tx.query(
    `INSERT INTO subscriptions (id, project_id, customer_id, tier_id, billing_provider, billing_customer_id,
       billing_subscription_id, subscription_status, current_period_start, current_period_end)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (customer_id) DO UPDATE SET tier_id = excluded.tier_id, billing_provider = excluded.billing_provider,
       billing_customer_id = excluded.billing_customer_id, billing_subscription_id = excluded.billing_subscription_id,
       subscription_status = excluded.subscription_status, current_period_start = excluded.current_period_start,
       current_period_end = excluded.current_period_end, cancel_at = NULL, updated_at = now()`,
    [
      randomUUID(),
      state.projectId,
      state.customerId,
      state.tierId,
      state.billingProvider,
      state.billingCustomerId,
      state.billingSubscriptionId,
      state.status,
      state.periodStart,
      state.periodEnd,
    ],
  );
}

export async function scheduleEnd(tx: Queryable, customerId: string, cancelAt: Date): Promise<void> {
  await tx.query('UPDATE subscriptions SET cancel_at = $2, updated_at = now() WHERE customer_id = $1', [
    customerId,
    cancelAt,
  ]);
}

/** Moves the same subscription to its next period; keeps a scheduled end. */
export async function movePeriod(tx: Queryable, customerId: string, start: Date, end: Date): Promise<void> {
  await tx.query(
    `UPDATE subscriptions SET current_period_start = $2, current_period_end = $3, updated_at = now() WHERE customer_id = $1`,
    [customerId, start, end],
  );
}

export interface EndedPeriod {
  state: SubscriptionState;
  interval: 'month' | 'year';
  cancelAt: Date | null;
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

/** Reads the ended period of a locked customer, with its tier's interval; undefined if the processor renews it. */
export async function findEndedPeriod(tx: Queryable, customerId: string, now: Date): Promise<EndedPeriod | undefined> {
  const { rows } = await tx.query<StateRow>(
    `SELECT ${COLUMNS}, t.price_interval FROM subscriptions s JOIN tiers t ON t.id = s.tier_id
     WHERE ${ENDED_PERIOD} AND s.customer_id = $2`,
    [now, customerId],
  );
  const [row] = rows;
  return (
    row && {
      state: toSubscriptionState(row),
      cancelAt: row.cancel_at,
      interval: row.price_interval === 'year' ? 'year' : 'month',
    }
  );
}

/** Finds the tier with the processor's price; prefers `preferred` if several share it. */
export async function tierOfPrice(
  db: Queryable,
  projectId: string,
  price: string,
  preferred: string | undefined,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM tiers WHERE project_id = $1 AND billing_price_ref = $2
     ORDER BY (id::text = $3) DESC, created_at LIMIT 1`,
    [projectId, price, preferred ?? ''],
  );
  return rows[0]?.id;
}

export interface TierBrief {
  id: string;
  tier_code: string;
  price_interval: string | null;
}

export async function findTierBrief(db: Queryable, projectId: string, id: string): Promise<TierBrief | undefined> {
  const { rows } = await db.query<TierBrief>(
    'SELECT id, tier_code, price_interval FROM tiers WHERE project_id = $1 AND id = $2',
    [projectId, id],
  );
  return rows[0];
}

export async function projectOfTier(db: Queryable, tierId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>('SELECT project_id AS id FROM tiers WHERE id = $1', [tierId]);
  return rows[0]?.id;
}

export async function findDefaultTier(db: Queryable, projectId: string): Promise<TierBrief | undefined> {
  const { rows } = await db.query<TierBrief>(
    'SELECT id, tier_code, price_interval FROM tiers WHERE project_id = $1 AND is_default',
    [projectId],
  );
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

function toSubscriptionState(row: StateRow): SubscriptionState {
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
  };
}
