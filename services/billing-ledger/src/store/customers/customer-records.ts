import type { Queryable } from '@tollgate/postgres';
import { yieldLoop } from '@tollgate/runtime';
import type { SubscriptionPrice } from '../payments/customer-subscriptions.js';
import { joinedColumns, toJoinedRecord } from '../record-fields.js';
import { TIER_COLUMNS, type Tier } from '../tiers/tiers.js';

/** A customer with its subscription and that subscription's tier. */
export interface CustomerRecord {
  id: string;
  projectId: string;
  accountId: string;
  externalId: string;
  email: string;
  metadata: unknown;
  createdAt: Date;
  updatedAt: Date;
  /** Set while requests of the customer are refused. */
  blockedAt: Date | null;
  subscription: SubscriptionRecord | null;
}

export interface SubscriptionRecord {
  id: string;
  projectId: string;
  customerId: string;
  tierId: string;
  billingProvider: string | null;
  billingCustomerId: string | null;
  billingSubscriptionId: string | null;
  subscriptionStatus: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  cancelAt: Date | null;
  /** The price that the customer pays, which can differ from the tier's price now. */
  price: SubscriptionPrice;
  createdAt: Date;
  updatedAt: Date;
  tier: Tier;
}

const CUSTOMER_COLUMNS = [
  'id',
  'project_id',
  'account_id',
  'external_id',
  'email',
  'metadata',
  'created_at',
  'updated_at',
  'blocked_at',
];

const SUBSCRIPTION_COLUMNS = [
  'id',
  'project_id',
  'customer_id',
  'tier_id',
  'billing_provider',
  'billing_customer_id',
  'billing_subscription_id',
  'subscription_status',
  'current_period_start',
  'current_period_end',
  'cancel_at',
  'price_tier_id',
  'price_amount_cents',
  'price_currency',
  'price_interval',
  'created_at',
  'updated_at',
];

/** Converting a larger page takes milliseconds: it gets a turn of the event loop of its own. */
const SMALL_PAGE_MAX = 20;

const FROM = 'FROM customers c LEFT JOIN subscriptions s ON s.customer_id = c.id LEFT JOIN tiers t ON t.id = s.tier_id';

const SELECT = `SELECT ${joinedColumns('c', CUSTOMER_COLUMNS)}, ${joinedColumns('s', SUBSCRIPTION_COLUMNS)},
    ${joinedColumns('t', TIER_COLUMNS)} ${FROM}`;

/** Finds a customer of the project by its UUID. */
export async function findCustomerById(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<CustomerRecord | undefined> {
  const { rows } = await db.query<JoinedRow>(`${SELECT} WHERE c.project_id = $1 AND c.id = $2`, [projectId, id]);
  return rows[0] && toCustomerRecord(rows[0]);
}

export async function findCustomerByExternalId(
  db: Queryable,
  projectId: string,
  externalId: string,
): Promise<CustomerRecord | undefined> {
  const { rows } = await db.query<JoinedRow>(`${SELECT} WHERE c.project_id = $1 AND c.external_id = $2`, [
    projectId,
    externalId,
  ]);
  return rows[0] && toCustomerRecord(rows[0]);
}

/** Reads the customers `c` with their subscriptions `s` and tiers `t` that the rest of a statement selects. */
export async function selectCustomers(db: Queryable, rest: string, values: unknown[]): Promise<CustomerRecord[]> {
  const { rows } = await db.query<JoinedRow>(`${SELECT} ${rest}`, values);
  if (rows.length > SMALL_PAGE_MAX) await yieldLoop();
  return rows.map(toCustomerRecord);
}

/** Counts them, at most `limit`. */
export async function countSelected(db: Queryable, rest: string, values: unknown[], limit: number): Promise<bigint> {
  const { rows } = await db.query<{ total: bigint }>(
    `SELECT count(*) AS total FROM (SELECT 1 ${FROM} ${rest} LIMIT ${limit}) AS counted`,
    values,
  );
  return rows[0]?.total ?? 0n;
}

interface JoinedRow {
  /** Null if the customer has no subscription. */
  s_id: string | null;
}

function toCustomerRecord(row: JoinedRow): CustomerRecord {
  const customer = toJoinedRecord<Omit<CustomerRecord, 'subscription'>>(row, 'c');
  if (row.s_id === null) return { ...customer, subscription: null };
  const { priceTierId, priceAmountCents, priceCurrency, priceInterval, ...subscription } = toJoinedRecord<StoredPrice>(
    row,
    's',
  );
  const tier = toJoinedRecord<Tier>(row, 't');
  const price =
    priceTierId === subscription.tierId
      ? { amountCents: priceAmountCents, currency: priceCurrency, interval: priceInterval }
      : { amountCents: tier.priceAmountCents, currency: tier.priceCurrency, interval: tier.priceInterval };
  return { ...customer, subscription: { ...subscription, price, tier } };
}

type StoredPrice = Omit<SubscriptionRecord, 'tier' | 'price'> & {
  priceTierId: string | null;
  priceAmountCents: bigint | null;
  priceCurrency: string | null;
  priceInterval: string | null;
};
