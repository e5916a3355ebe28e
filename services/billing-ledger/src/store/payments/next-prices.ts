import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/next-prices.js';
import { toRecord } from '../record-fields.js';

/** How long before a renewal a subscription gets its next price: nothing of the running period is charged at it. */
export const NEXT_PRICE_LEAD_MS = 3_600_000;

export interface TierPriceRef {
  tierId: string;
  priceRef: string;
  currency: string;
  interval: string;
}

export interface PricedSubscriptions {
  subscriptions: bigint;
  /** The sum of their prices for one interval. */
  beforeCents: bigint;
}

/** Adds up the subscriptions that pay another price of the tier. */
export async function countOtherPrices(db: Queryable, price: TierPriceRef): Promise<PricedSubscriptions> {
  return toSums(await sql.countOtherPrices(db, { ...price }));
}

/** Schedules the price for the same subscriptions, each shortly before its renewal. */
export async function scheduleNextPrices(db: Queryable, price: TierPriceRef): Promise<PricedSubscriptions> {
  return toSums(await sql.scheduleNextPrices(db, { ...price, leadMs: NEXT_PRICE_LEAD_MS }));
}

/** Claims subscriptions that are due to get another price, and schedules the next attempt. */
export async function takeDueNextPrices(db: Queryable, now: Date, retryAt: Date, limit: number): Promise<string[]> {
  return (await sql.takeDueNextPrices(db, { now, retryAt, limit })).map(({ id }) => id);
}

export interface NextPrice {
  nextPriceRef: string;
  priceRef: string | null;
  itemId: string | null;
  cancelsAtPeriodEnd: boolean;
  periodEnd: Date;
  /** The present price of the subscription's tier. */
  tierPriceRef: string | null;
}

export async function findNextPrice(db: Queryable, id: string): Promise<NextPrice | undefined> {
  const { rows } = await db.query(
    `SELECT p.next_price_ref, p.price_ref, p.item_id, p.cancels_at_period_end, p.period_end,
       t.billing_price_ref AS tier_price_ref
     FROM processor_subscriptions p JOIN tiers t ON t.id = p.tier_id WHERE p.id = $1 AND p.next_price_ref IS NOT NULL`,
    [id],
  );
  return rows[0] && toRecord<NextPrice>(rows[0]);
}

/** Schedules the price again, before another renewal; without a time, removes it. Leaves a price that was scheduled in the meantime. */
export async function moveNextPrice(
  db: Queryable,
  { id, priceRef }: { id: string; priceRef: string },
  at: Date | undefined,
): Promise<void> {
  await db.query(
    `UPDATE processor_subscriptions SET next_price_at = $2,
       next_price_ref = CASE WHEN $2::timestamptz IS NULL THEN NULL ELSE next_price_ref END
     WHERE id = $1 AND next_price_ref = $3`,
    [id, at ?? null, priceRef],
  );
}

function toSums(row: { subscriptions: bigint | null; beforeCents: bigint | null } | undefined): PricedSubscriptions {
  return { subscriptions: row?.subscriptions ?? 0n, beforeCents: row?.beforeCents ?? 0n };
}
