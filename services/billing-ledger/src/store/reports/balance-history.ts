import type { Queryable } from '@tollgate/postgres';

export interface BalanceEntryRow {
  id: bigint;
  is_credit: boolean;
  amount: bigint;
  kind: string;
  occurred_at: Date;
  balance_after: bigint;
  request_id: string | null;
  model_id: string | null;
  input_tokens: bigint | null;
  output_tokens: bigint | null;
}

/**
 * Lists an account's journal, newest first, with the balance after each entry and the usage behind each charge. Computes
 * balances backwards from the current one, so that only the skipped and the returned entries are read. Begins after the
 * months whose charges were deleted: balances before them would be wrong.
 */
export async function balanceHistory(
  db: Queryable,
  accountId: bigint,
  take: number,
  skip: number,
): Promise<BalanceEntryRow[]> {
  const latest = (side: 'credit_account' | 'debit_account') =>
    `(SELECT id, ${side === 'credit_account'} AS is_credit, amount, kind, occurred_at, cause FROM transfers
      WHERE ${side} = $1 AND ${side} > 1000 AND id > coalesce((SELECT max(deleted_to) FROM journal_months), 0)
      ORDER BY id DESC LIMIT $2::bigint + $3::bigint)`;
  const { rows } = await db.query<BalanceEntryRow>(
    `WITH entry AS (${latest('credit_account')} UNION ALL ${latest('debit_account')}), counted AS (
       SELECT entry.*, a.credits - a.debits - coalesce(sum(CASE WHEN is_credit THEN amount ELSE -amount END)
         OVER (ORDER BY entry.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_after
       FROM entry, accounts a WHERE a.id = $1)
     SELECT e.id, e.is_credit, e.amount, e.kind, e.occurred_at, e.balance_after,
       h.terms->>'publicRequestId' AS request_id, h.model_id,
       h.input_tokens - coalesce(h.tool_fee_tokens, 0) AS input_tokens, h.output_tokens
     FROM (SELECT * FROM counted ORDER BY id DESC LIMIT $2 OFFSET $3) e LEFT JOIN holds h ON h.request_id = e.cause
     ORDER BY e.id DESC`,
    [accountId, take, skip],
  );
  return rows;
}
