import type { Queryable } from '@tollgate/postgres';
import type { PricePlan, PriceSync } from '../../domain/payments/price-sync.js';
import * as sql from '../gen/tiers/price-sync.js';
import { toRecord } from '../record-fields.js';

/** Writes what saving a tier decided about its price. `dueAt`: when to send the tier, if the caller does not. */
export async function setPriceSync(
  tx: Queryable,
  id: string,
  plan: PricePlan,
  due: { at: Date; failure: string | undefined },
): Promise<void> {
  await sql.setPriceSync(tx, {
    id,
    priceSync: plan.priceSync,
    failure: plan.isDue ? (due.failure ?? null) : null,
    dueAt: plan.isDue ? due.at : null,
    isNewVersion: plan.isNewVersion,
  });
}

/** Claims tiers that are due to be sent to the processor, and schedules the next attempt. */
export async function takeDuePrices(db: Queryable, now: Date, retryAt: Date, limit: number): Promise<string[]> {
  return (await sql.takeDuePrices(db, { now, retryAt, limit })).map(({ id }) => id);
}

/** A tier that is due to be sent to the processor. */
export interface DuePrice {
  id: string;
  displayName: string;
  priceSync: PriceSync;
  priceSyncAttempts: number;
  priceVersion: number;
  productRef: string | null;
  priceAmountCents: bigint;
  priceCurrency: string;
  priceInterval: 'month' | 'year';
}

/** Returns undefined if nothing is due or the tier was deleted. */
export async function findDuePrice(db: Queryable, id: string): Promise<DuePrice | undefined> {
  const { rows } = await db.query(
    `SELECT id, display_name, price_sync, price_sync_attempts, price_version, product_ref, price_amount_cents,
       price_currency, price_interval
     FROM tiers WHERE id = $1 AND price_sync_at IS NOT NULL AND price_sync IS NOT NULL`,
    [id],
  );
  return rows[0] && toRecord<DuePrice>(rows[0]);
}

export async function noteProduct(db: Queryable, id: string, productRef: string): Promise<void> {
  await db.query('UPDATE tiers SET product_ref = $2 WHERE id = $1', [id, productRef]);
}

/** Stores the processor's answer, unless the tier got another price in the meantime. `dueAt`: of the next attempt. */
export async function endPriceSync(
  db: Queryable,
  { id, priceVersion }: DuePrice,
  answer: { priceSync: PriceSync; priceRef?: string; failure?: string; dueAt?: Date },
): Promise<void> {
  await sql.endPriceSync(db, {
    id,
    version: priceVersion,
    priceSync: answer.priceSync,
    priceRef: answer.priceRef ?? null,
    failure: answer.failure ?? null,
    dueAt: answer.dueAt ?? null,
  });
}

/** Records the name that the processor was given. A name that was changed in the meantime stays due. */
export async function noteNameSent(db: Queryable, { id, displayName }: DuePrice): Promise<void> {
  await db.query("UPDATE tiers SET price_sync_at = NULL WHERE id = $1 AND price_sync = 'ready' AND display_name = $2", [
    id,
    displayName,
  ]);
}
