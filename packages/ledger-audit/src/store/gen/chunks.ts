// Generated from chunks.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface AddToBalancesInput {
  after: bigint | number;
  last: bigint | number;
  month: string;
}

const ADD_TO_BALANCES = `
  WITH moved AS (
    SELECT side.account_id, sum(side.credits) AS credits, sum(side.debits) AS debits
    FROM transfers t
    CROSS JOIN LATERAL (VALUES (t.credit_account, t.amount, 0), (t.debit_account, 0, t.amount)) AS side (account_id, credits, debits)
    WHERE t.id > $1 AND t.id <= $2
    GROUP BY 1
  )
  INSERT INTO sealed_balances AS s (month, account_id, credits, debits, total_credits, total_debits)
  SELECT $3, m.account_id, m.credits, m.debits, coalesce(p.total_credits, 0) + m.credits, coalesce(p.total_debits, 0) + m.debits
  FROM moved m
  LEFT JOIN LATERAL (
    SELECT total_credits, total_debits FROM sealed_balances
    WHERE account_id = m.account_id AND month < $3
    ORDER BY month DESC LIMIT 1
  ) p ON true
  ON CONFLICT (month, account_id) DO UPDATE SET
    credits = s.credits + excluded.credits, debits = s.debits + excluded.debits,
    total_credits = s.total_credits + excluded.credits, total_debits = s.total_debits + excluded.debits`;

/** Adds the transfers of a chunk to the month's balances. The caller has locked the month. */
export async function addToBalances(db: Queryable, input: AddToBalancesInput): Promise<void> {
  await db.query({
    name: 'add_to_balances',
    text: ADD_TO_BALANCES,
    values: [
      input.after,
      input.last,
      input.month,
    ],
  });
}

export interface AdvanceTransfersInput {
  rows: bigint | number;
  hash: string;
  isLast: boolean;
  position: bigint | number | null;
  month: string;
}

const ADVANCE_TRANSFERS = `
  UPDATE journal_months
  SET transfers = transfers + $1, transfers_hash = decode($2, 'hex'),
    position = CASE WHEN $3 THEN 0 ELSE coalesce($4::bigint, position) END,
    state = CASE WHEN $3 THEN 'balances' ELSE state END
  WHERE month = $5`;

/** Stores the hash over the chunk. The next chunk follows it; the balances follow the last one. */
export async function advanceTransfers(db: Queryable, input: AdvanceTransfersInput): Promise<void> {
  await db.query({
    name: 'advance_transfers',
    text: ADVANCE_TRANSFERS,
    values: [
      input.rows,
      input.hash,
      input.isLast,
      input.position,
      input.month,
    ],
  });
}
