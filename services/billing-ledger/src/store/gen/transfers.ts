// Generated from transfers.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertTransferInput {
  debit: bigint | number;
  credit: bigint | number;
  amount: bigint | number;
  kind: string;
  cause: string;
  causeRef: string | null;
}

const INSERT_TRANSFER = `
  INSERT INTO transfers (debit_account, credit_account, amount, kind, cause, cause_ref)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (cause, kind) DO NOTHING`;

export async function insertTransfer(db: Queryable, input: InsertTransferInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_transfer',
    text: INSERT_TRANSFER,
    values: [
      input.debit,
      input.credit,
      input.amount,
      input.kind,
      input.cause,
      input.causeRef,
    ],
  });
  return rowCount ?? 0;
}

export interface CustomerChargesInput {
  holdId: string;
}

export interface CustomerChargesRow {
  account: bigint;
  amount: bigint;
}

const CUSTOMER_CHARGES = `
  SELECT account AS "account", sum(amount)::bigint AS "amount"
  FROM (
    SELECT debit_account AS account, amount FROM transfers
    WHERE cause = $1 AND kind IN ('charge_allowance', 'charge_wallet', 'late_allowance', 'late_wallet')
    UNION ALL
    SELECT credit_account, -amount FROM transfers
    WHERE cause = $1 AND kind IN ('returned_allowance', 'returned_wallet')
  ) t
  GROUP BY 1
  HAVING sum(amount) > 0`;

/** Sums what a hold charged to its customer's accounts, minus what a late report returned. */
export async function customerCharges(db: Queryable, input: CustomerChargesInput): Promise<CustomerChargesRow[]> {
  const { rows } = await db.query<CustomerChargesRow>({
    name: 'customer_charges',
    text: CUSTOMER_CHARGES,
    values: [
      input.holdId,
    ],
  });
  return rows;
}
