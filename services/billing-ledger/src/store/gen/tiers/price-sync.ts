// Generated from tiers/price-sync.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface SetPriceSyncInput {
  priceSync: string | null;
  failure: string | null;
  dueAt: Date | null;
  isNewVersion: boolean;
  id: string;
}

const SET_PRICE_SYNC = `
  UPDATE tiers SET price_sync = $1, price_sync_failure = $2,
    price_sync_at = CASE WHEN $1 = 'ready' THEN coalesce($3, price_sync_at) ELSE $3 END,
    price_sync_attempts = CASE WHEN $4 THEN 0 ELSE 1 END,
    price_version = price_version + CASE WHEN $4 THEN 1 ELSE 0 END
  WHERE id = $5`;

/** Writes what saving a tier decided about its price at the processor. */
export async function setPriceSync(db: Queryable, input: SetPriceSyncInput): Promise<void> {
  await db.query({
    name: 'set_price_sync',
    text: SET_PRICE_SYNC,
    values: [
      input.priceSync,
      input.failure,
      input.dueAt,
      input.isNewVersion,
      input.id,
    ],
  });
}

export interface TakeDuePricesInput {
  now: Date;
  limit: bigint | number;
  retryAt: Date;
}

export interface TakeDuePricesRow {
  id: string;
}

const TAKE_DUE_PRICES = `
  WITH due AS (
    SELECT id FROM tiers WHERE price_sync_at <= $1::timestamptz ORDER BY price_sync_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE tiers SET price_sync_at = $3, price_sync_attempts = price_sync_attempts + 1
  WHERE id = ANY (ARRAY(SELECT id FROM due))
  RETURNING id`;

/** Claims tiers that are due to be sent to the processor, and schedules the next attempt. */
export async function takeDuePrices(db: Queryable, input: TakeDuePricesInput): Promise<TakeDuePricesRow[]> {
  const { rows } = await db.query<TakeDuePricesRow>({
    name: 'take_due_prices',
    text: TAKE_DUE_PRICES,
    values: [
      input.now,
      input.limit,
      input.retryAt,
    ],
  });
  return rows;
}

export interface EndPriceSyncInput {
  priceRef: string | null;
  priceSync: string;
  failure: string | null;
  dueAt: Date | null;
  id: string;
  version: number;
}

const END_PRICE_SYNC = `
  UPDATE tiers SET billing_price_ref = COALESCE($1, billing_price_ref), price_sync = $2,
    price_sync_failure = $3, price_sync_at = $4, updated_at = now()
  WHERE id = $5 AND price_version = $6 AND price_sync = 'pending'`;

/** Stores the processor's answer, unless the tier got another price in the meantime. */
export async function endPriceSync(db: Queryable, input: EndPriceSyncInput): Promise<void> {
  await db.query({
    name: 'end_price_sync',
    text: END_PRICE_SYNC,
    values: [
      input.priceRef,
      input.priceSync,
      input.failure,
      input.dueAt,
      input.id,
      input.version,
    ],
  });
}
