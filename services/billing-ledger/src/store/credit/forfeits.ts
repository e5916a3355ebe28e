import type { Queryable } from '@tollgate/postgres';
import { PAID, PAID_BACK } from '../subjects/subjects.js';

/** Sums a wallet's payments minus refunds and disputes. Reads only those: each side has a partial index. */
export async function netPayments(db: Queryable, walletId: bigint): Promise<bigint> {
  const { rows } = await db.query<{ paid: bigint }>(
    `SELECT (SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE credit_account = $1 AND ${PAID})
       - (SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE debit_account = $1 AND ${PAID_BACK}) AS paid`,
    [walletId],
  );
  return rows[0]?.paid ?? 0n;
}

/** Sums a wallet's net payments, net forfeits and net written-off debts. */
export async function walletOrigins(
  tx: Queryable,
  walletId: bigint,
): Promise<{ paid: bigint; forfeited: bigint; writtenOff: bigint }> {
  const total = (side: 'credit_account' | 'debit_account', condition: string) =>
    `(SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE ${side} = $1 AND ${condition})`;
  const { rows } = await tx.query<{ paid: bigint; forfeited: bigint; writtenOff: bigint }>(
    `SELECT ${total('credit_account', PAID)} - ${total('debit_account', PAID_BACK)} AS paid,
       ${total('debit_account', "kind = 'forfeited'")} - ${total('credit_account', "kind = 'forfeit_returned'")} AS forfeited,
       ${total('credit_account', "kind = 'written_off'")} - ${total('debit_account', "kind = 'write_off_returned'")} AS "writtenOff"`,
    [walletId],
  );
  return rows[0] as { paid: bigint; forfeited: bigint; writtenOff: bigint };
}

interface ForfeitRange {
  ownerAccountId: string;
  /** With a project, only its customers count. */
  projectId: string | undefined;
  /** Inclusive, UTC. */
  fromDay: string;
  /** Exclusive, UTC. */
  toDay: string;
}

/** Sums what an owner's deleted customers forfeited, less later refunds. */
export function forfeitedBetween(db: Queryable, range: ForfeitRange): Promise<bigint> {
  return sumOfDeleted(db, range, { from: "t.kind = 'forfeited'", kinds: "'forfeited', 'forfeit_returned'", sign: 1n });
}

/** Sums what an owner's deleted customers owe: refunds and chargebacks beyond what was left in their wallets. */
export function writtenOffBetween(db: Queryable, range: ForfeitRange): Promise<bigint> {
  const kinds = "'written_off', 'write_off_returned'";
  return sumOfDeleted(db, range, { from: "t.kind = 'write_off_returned'", kinds, sign: -1n });
}

/** Sums entries of the wallets of deleted customers: `from` are debits of the wallet and count with the sign. */
async function sumOfDeleted(
  db: Queryable,
  range: ForfeitRange,
  entries: { from: string; kinds: string; sign: 1n | -1n },
): Promise<bigint> {
  const { rows } = await db.query<{ total: bigint }>(
    `SELECT coalesce(sum(CASE WHEN ${entries.from} THEN t.amount ELSE -t.amount END), 0)::bigint AS total
     FROM transfers t JOIN accounts a ON a.id = CASE WHEN ${entries.from} THEN t.debit_account ELSE t.credit_account END
     WHERE t.kind IN (${entries.kinds}) AND a.owner_account_id = $1
       AND t.occurred_at >= $2::timestamp AT TIME ZONE 'UTC' AND t.occurred_at < $3::timestamp AT TIME ZONE 'UTC'
       AND ($4::uuid IS NULL OR EXISTS (SELECT FROM deleted_customers d WHERE d.id = a.ref_id AND d.project_id = $4))`,
    [range.ownerAccountId, range.fromDay, range.toDay, range.projectId ?? null],
  );
  return entries.sign * (rows[0]?.total ?? 0n);
}
