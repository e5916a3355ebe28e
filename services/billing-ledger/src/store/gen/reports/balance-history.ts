// Generated from reports/balance-history.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface BalanceHistoryInput {
  accountId: bigint | number;
  take: bigint | number;
  skip: bigint | number;
}

export interface BalanceHistoryRow {
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

const BALANCE_HISTORY = `
  WITH entry AS (
    (SELECT id, true AS is_credit, amount, kind, occurred_at, cause FROM transfers
     WHERE credit_account = $1 AND credit_account > 1000 AND id > coalesce((SELECT max(deleted_to) FROM journal_months), 0)
     ORDER BY id DESC LIMIT $2::bigint + $3::bigint)
    UNION ALL
    (SELECT id, false AS is_credit, amount, kind, occurred_at, cause FROM transfers
     WHERE debit_account = $1 AND debit_account > 1000 AND id > coalesce((SELECT max(deleted_to) FROM journal_months), 0)
     ORDER BY id DESC LIMIT $2 + $3)
  ),
  counted AS (
    SELECT entry.*, a.credits - a.debits - coalesce(sum(CASE WHEN is_credit THEN amount ELSE -amount END)
      OVER (ORDER BY entry.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_after
    FROM entry, accounts a
    WHERE a.id = $1
  )
  SELECT e.id AS "id", e.is_credit AS "is_credit", e.amount AS "amount", e.kind AS "kind", e.occurred_at AS "occurred_at",
    e.balance_after AS "balance_after", h.terms->>'publicRequestId' AS request_id, h.model_id,
    h.input_tokens - coalesce(h.tool_fee_tokens, 0) AS input_tokens, h.output_tokens
  FROM (SELECT * FROM counted ORDER BY id DESC LIMIT $2 OFFSET $3) e
  LEFT JOIN holds h ON h.request_id = e.cause
  ORDER BY e.id DESC`;

/**
 * Lists an account's journal, newest first, with the balance after each entry and the usage behind each charge. Computes
 * balances backwards from the current one, so that only the skipped and the returned entries are read. Begins after the
 * months whose charges were deleted: balances before them would be wrong.
 * Is planned at each call: the plan depends on how much the account has.
 */
export async function balanceHistory(db: Queryable, input: BalanceHistoryInput): Promise<BalanceHistoryRow[]> {
  const { rows } = await db.query<BalanceHistoryRow>({
    text: BALANCE_HISTORY,
    values: [
      input.accountId,
      input.take,
      input.skip,
    ],
  });
  return rows;
}
