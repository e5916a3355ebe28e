import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/payments/card-verifications.js';

export interface CardVerificationRow {
  account_id: string;
  order_id: string;
  verified_at: Date;
  card_brand: string;
  card_last4: string;
  /** 0 if nothing was granted. */
  grant_amount_cents: bigint;
  is_grant_used_by_card: boolean;
}

export async function findCardVerification(db: Queryable, accountId: string): Promise<CardVerificationRow | undefined> {
  const { rows } = await db.query<CardVerificationRow>(
    `SELECT account_id, order_id, verified_at, card_brand, card_last4, grant_amount_cents, is_grant_used_by_card
     FROM card_verifications WHERE account_id = $1`,
    [accountId],
  );
  return rows[0];
}

/** Returns false if the account was verified before. */
export async function insertCardVerification(tx: Queryable, row: CardVerificationRow): Promise<boolean> {
  const inserted = await sql.insertCardVerification(tx, {
    accountId: row.account_id,
    orderId: row.order_id,
    verifiedAt: row.verified_at,
    cardBrand: row.card_brand,
    cardLast4: row.card_last4,
    grantAmountCents: row.grant_amount_cents,
    isGrantUsedByCard: row.is_grant_used_by_card,
  });
  return inserted === 1;
}

/** Claims the card's only grant. Returns false if another account had it before. A repeat returns the same. */
export async function claimCardGrant(db: Queryable, fingerprint: string, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'INSERT INTO card_grants (fingerprint, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [fingerprint, accountId],
  );
  if (rowCount === 1) return true;
  const { rows } = await db.query<{ account_id: string }>('SELECT account_id FROM card_grants WHERE fingerprint = $1', [
    fingerprint,
  ]);
  return rows[0]?.account_id === accountId;
}
