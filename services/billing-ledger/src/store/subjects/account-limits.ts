import type { Queryable } from '@tollgate/postgres';

/** The limits of an owner account that count money or requests over a span of time. */
export const ACCOUNT_LIMITS = ['daily_cap', 'quota'] as const;
export type AccountLimit = (typeof ACCOUNT_LIMITS)[number];

export interface AccountLimitRow {
  /** Overrides by kind; null: no limit. A kind that is absent is as configured. */
  overrides: Partial<Record<AccountLimit, bigint | null>>;
  /** The account has paid more than was paid back: it does not live on granted credit. */
  isPaying: boolean;
}

/**
 * Payments, and what took them back: the journal's kinds of `domain/payments/payment-entries.ts`. Part of the statement's
 * text, because each has an index of just these kinds.
 */
export const PAID = "kind IN ('top_up', 'refund_failed', 'dispute_won')";
export const PAID_BACK = "kind IN ('refund', 'dispute')";

export async function readAccountLimits(
  db: Queryable,
  ownerAccountId: string,
  prepaidAccount: bigint,
): Promise<AccountLimitRow> {
  const { rows } = await db.query<{ overrides: Record<string, string | null> | null; paid: bigint }>({
    name: 'read_account_limits',
    text: `SELECT (SELECT json_object_agg(kind, amount::text) FROM account_limits WHERE owner_account_id = $1) AS overrides,
        (SELECT coalesce(sum(amount), 0) FROM transfers WHERE credit_account = $2 AND ${PAID})::bigint
        - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE debit_account = $2 AND ${PAID_BACK})::bigint AS paid`,
    values: [ownerAccountId, prepaidAccount],
  });
  const row = rows[0];
  const overrides: AccountLimitRow['overrides'] = {};
  for (const kind of ACCOUNT_LIMITS) {
    const amount = row?.overrides?.[kind];
    if (amount !== undefined) overrides[kind] = amount === null ? null : BigInt(amount);
  }
  return { overrides, isPaying: (row?.paid ?? 0n) > 0n };
}

/** `null`: no limit. */
export async function putAccountLimit(
  db: Queryable,
  ownerAccountId: string,
  kind: AccountLimit,
  amount: bigint | null,
): Promise<void> {
  await db.query(
    `INSERT INTO account_limits (owner_account_id, kind, amount) VALUES ($1, $2, $3)
     ON CONFLICT (owner_account_id, kind) DO UPDATE SET amount = excluded.amount, updated_at = now()`,
    [ownerAccountId, kind, amount],
  );
}

export async function removeAccountLimit(db: Queryable, ownerAccountId: string, kind: AccountLimit): Promise<void> {
  await db.query('DELETE FROM account_limits WHERE owner_account_id = $1 AND kind = $2', [ownerAccountId, kind]);
}
