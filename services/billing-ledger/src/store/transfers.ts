import { createHash } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';

export interface NewTransfer {
  debit: bigint;
  credit: bigint;
  amountMicrocents: bigint;
  kind: string;
  /** A UUID, or any outside id (payment, refund): once per kind. */
  cause: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Moves money by hand (top-ups, grants, limits): one journal row and both accounts' sums, in the caller's transaction.
 * The caller has locked the accounts in id order where it holds several. False: this cause was booked before, nothing
 * changed.
 */
export async function insertTransfer(tx: Queryable, transfer: NewTransfer): Promise<boolean> {
  const cause = UUID.test(transfer.cause) ? transfer.cause : causeUuid(transfer.cause);
  const { rowCount } = await tx.query(
    `INSERT INTO transfers (debit_account, credit_account, amount, kind, cause, cause_ref) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (cause, kind) DO NOTHING`,
    [
      transfer.debit,
      transfer.credit,
      transfer.amountMicrocents,
      transfer.kind,
      cause,
      cause === transfer.cause ? null : transfer.cause,
    ],
  );
  if (rowCount === 0) return false;
  // Counter-accounts (kind below the limits' ids) carry no sums; the WHERE keeps them untouched and unlocked.
  await tx.query(
    `UPDATE accounts SET debits = debits + CASE WHEN id = $1 THEN $3::bigint ELSE 0 END,
                         credits = credits + CASE WHEN id = $2 THEN $3::bigint ELSE 0 END
     WHERE id IN ($1, $2) AND id > 1000`,
    [transfer.debit, transfer.credit, transfer.amountMicrocents],
  );
  return true;
}

/** What a request has charged to its customer's accounts, less what a late report gave back. */
export async function customerCharges(tx: Queryable, holdId: string): Promise<{ account: bigint; amount: bigint }[]> {
  const { rows } = await tx.query<{ account: bigint; amount: bigint }>(
    `SELECT account, sum(amount)::bigint AS amount FROM (
       SELECT debit_account AS account, amount FROM transfers
       WHERE cause = $1 AND kind IN ('charge_allowance', 'charge_wallet', 'late_allowance', 'late_wallet')
       UNION ALL SELECT credit_account, -amount FROM transfers
       WHERE cause = $1 AND kind IN ('returned_allowance', 'returned_wallet')) t
     GROUP BY 1 HAVING sum(amount) > 0`,
    [holdId],
  );
  return rows;
}

/** A stable UUID for an outside id, so that the journal's uniqueness is one fixed-width index. */
function causeUuid(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
