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

/** An account's journal, newest first, each entry with the balance it left; charges carry what they paid for. */
export async function balanceHistory(
  db: Queryable,
  accountId: bigint,
  take: number,
  skip: number,
): Promise<BalanceEntryRow[]> {
  const { rows } = await db.query<BalanceEntryRow>(
    `WITH entry AS (
       SELECT id, credit_account = $1 AS is_credit, amount, kind, occurred_at, cause,
         sum(CASE WHEN credit_account = $1 THEN amount ELSE -amount END) OVER (ORDER BY id)::bigint AS balance_after
       FROM transfers
       WHERE (credit_account = $1 AND credit_account > 1000) OR (debit_account = $1 AND debit_account > 1000))
     SELECT e.id, e.is_credit, e.amount, e.kind, e.occurred_at, e.balance_after,
       h.terms->>'publicRequestId' AS request_id, h.model_id, h.input_tokens, h.output_tokens
     FROM entry e LEFT JOIN holds h ON h.request_id = e.cause
     ORDER BY e.id DESC LIMIT $2 OFFSET $3`,
    [accountId, take, skip],
  );
  return rows;
}
