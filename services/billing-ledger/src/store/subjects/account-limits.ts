import type { Queryable } from '@tollgate/postgres';

/** Limits of an owner account that are reset periodically. */
export const ACCOUNT_LIMITS = ['daily_cap', 'quota'] as const;
export type AccountLimit = (typeof ACCOUNT_LIMITS)[number];

export interface AccountLimitRow {
  /** Overrides by kind; null = no limit, absent = as configured. */
  overrides: Partial<Record<AccountLimit, bigint | null>>;
  /** The account paid more than was refunded or disputed, so the cap on granted credit does not apply. */
  isPaying: boolean;
}

/**
 * SQL conditions for payments and for their refunds and disputes (kinds of `domain/payments/payment-entries.ts`). Literals
 * in the statement's text, because each condition has a partial index.
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
  return { overrides: toOverrides(row?.overrides ?? {}), isPaying: (row?.paid ?? 0n) > 0n };
}

/** Returns the overrides of an account alone. */
export async function readAccountLimitOverrides(
  db: Queryable,
  ownerAccountId: string,
): Promise<AccountLimitRow['overrides']> {
  const { rows } = await db.query<{ kind: string; amount: bigint | null }>(
    'SELECT kind, amount FROM account_limits WHERE owner_account_id = $1',
    [ownerAccountId],
  );
  return toOverrides(Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount])));
}

function toOverrides(stored: Readonly<Record<string, string | bigint | null>>): AccountLimitRow['overrides'] {
  const overrides: AccountLimitRow['overrides'] = {};
  for (const kind of ACCOUNT_LIMITS) {
    const amount = stored[kind];
    if (amount !== undefined) overrides[kind] = amount === null ? null : BigInt(amount);
  }
  return overrides;
}

/** Stores an override; null = no limit. */
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
