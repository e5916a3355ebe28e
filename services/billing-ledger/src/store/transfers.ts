import { createHash } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import * as sql from './gen/transfers.js';

export interface NewTransfer {
  debit: bigint;
  credit: bigint;
  amountMicrocents: bigint;
  kind: string;
  /** A UUID or an external id (payment, refund); unique per kind. */
  cause: string;
}

/**
 * Books one transfer outside of the settling statement: one journal row and both accounts' sums, in the caller's
 * transaction. A caller that changes several accounts has locked them in id order. Returns false, and changes nothing, if
 * the cause was booked before.
 */
export async function insertTransfer(tx: Queryable, transfer: NewTransfer): Promise<boolean> {
  const cause = isLowerCaseUuid(transfer.cause) ? transfer.cause : causeUuid(transfer.cause);
  const inserted = await sql.insertTransfer(tx, {
    debit: transfer.debit,
    credit: transfer.credit,
    amount: transfer.amountMicrocents,
    kind: transfer.kind,
    cause,
    causeRef: cause === transfer.cause ? null : transfer.cause,
  });
  if (inserted === 0) return false;
  // Counter-accounts (ids up to 1000) have no sums; the WHERE leaves them unchanged and unlocked.
  await tx.query(
    `UPDATE accounts SET debits = debits + CASE WHEN id = $1 THEN $3::bigint ELSE 0 END,
                         credits = credits + CASE WHEN id = $2 THEN $3::bigint ELSE 0 END
     WHERE id IN ($1, $2) AND id > 1000`,
    [transfer.debit, transfer.credit, transfer.amountMicrocents],
  );
  return true;
}

/** Returns true if the cause was booked before. */
export async function hasTransfer(tx: Queryable, kind: string, cause: string): Promise<boolean> {
  const id = isLowerCaseUuid(cause) ? cause : causeUuid(cause);
  const { rowCount } = await tx.query('SELECT 1 FROM transfers WHERE cause = $1 AND kind = $2', [id, kind]);
  return rowCount === 1;
}

/** Sums what a hold charged to its customer's accounts, minus what a late report returned. */
export async function customerCharges(tx: Queryable, holdId: string): Promise<{ account: bigint; amount: bigint }[]> {
  return sql.customerCharges(tx, { holdId });
}

/** Derives a stable UUID from an external id, so that the journal's unique index has a fixed width. */
function causeUuid(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
