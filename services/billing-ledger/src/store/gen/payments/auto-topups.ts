// Generated from payments/auto-topups.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface SetAutoTopUpInput {
  accountId: string;
  isEnabled: boolean;
  thresholdCents: bigint | number;
  amountCents: bigint | number;
}

const SET_AUTO_TOP_UP = `
  INSERT INTO auto_topups AS a (account_id, is_enabled, threshold_cents, amount_cents)
  SELECT $1::uuid, $2::boolean, $3::bigint, $4::bigint
  WHERE NOT $2 OR EXISTS (SELECT 1 FROM auto_topups WHERE account_id = $1)
  ON CONFLICT (account_id) DO UPDATE SET
    is_enabled = excluded.is_enabled, threshold_cents = excluded.threshold_cents, amount_cents = excluded.amount_cents,
    failure_count = 0, next_attempt_at = NULL, updated_at = now()
  WHERE NOT excluded.is_enabled OR a.card_id IS NOT NULL`;

/** Stores new settings and resets the failures; nothing if they are enabled and there is no card. */
export async function setAutoTopUp(db: Queryable, input: SetAutoTopUpInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'set_auto_top_up',
    text: SET_AUTO_TOP_UP,
    values: [
      input.accountId,
      input.isEnabled,
      input.thresholdCents,
      input.amountCents,
    ],
  });
  return rowCount ?? 0;
}

export interface KeepCardInput {
  accountId: string;
  cardId: string;
  cardBrand: string;
  cardLast4: string;
  cardExpMonth: number;
  cardExpYear: number;
}

const KEEP_CARD = `
  INSERT INTO auto_topups (account_id, card_id, card_brand, card_last4, card_exp_month, card_exp_year)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id) DO UPDATE SET
    card_id = excluded.card_id, card_brand = excluded.card_brand, card_last4 = excluded.card_last4,
    card_exp_month = excluded.card_exp_month, card_exp_year = excluded.card_exp_year,
    failure_count = 0, next_attempt_at = NULL, updated_at = now()`;

/** Saves the card, replacing an earlier one, and resets the failures. */
export async function keepCard(db: Queryable, input: KeepCardInput): Promise<void> {
  await db.query({
    name: 'keep_card',
    text: KEEP_CARD,
    values: [
      input.accountId,
      input.cardId,
      input.cardBrand,
      input.cardLast4,
      input.cardExpMonth,
      input.cardExpYear,
    ],
  });
}

export interface AccountsBelowThresholdInput {
  now: Date;
  limit: bigint | number;
}

export interface AccountsBelowThresholdRow {
  account_id: string;
}

const ACCOUNTS_BELOW_THRESHOLD = `
  SELECT t.account_id AS "account_id"
  FROM auto_topups t
  LEFT JOIN accounts a ON a.kind = 'owner' AND a.ref_id = t.account_id AND a.window_start = '-infinity'
  WHERE t.is_enabled AND t.card_id IS NOT NULL AND (t.next_attempt_at IS NULL OR t.next_attempt_at <= $1)
    AND coalesce(a.credits - a.debits, 0) < t.threshold_cents * 1000000
    AND NOT EXISTS (
      SELECT 1 FROM payment_orders o WHERE o.account_id = t.account_id AND o.kind = 'auto_topup' AND o.status = 'open'
    )
  ORDER BY t.last_triggered_at NULLS FIRST
  LIMIT $2`;

/** Lists accounts below their threshold that may be charged now. The caller decides again under lock. */
export async function accountsBelowThreshold(db: Queryable, input: AccountsBelowThresholdInput): Promise<AccountsBelowThresholdRow[]> {
  const { rows } = await db.query<AccountsBelowThresholdRow>({
    name: 'accounts_below_threshold',
    text: ACCOUNTS_BELOW_THRESHOLD,
    values: [
      input.now,
      input.limit,
    ],
  });
  return rows;
}
