import type { Queryable } from '@tollgate/postgres';
import { PAID, PAID_BACK } from '../subjects/account-limits.js';

/** Sums a wallet's payments minus refunds and disputes. Reads only those: each side has a partial index. */
export async function netPayments(db: Queryable, walletId: bigint): Promise<bigint> {
  const { rows } = await db.query<{ paid: bigint }>(
    `SELECT (SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE credit_account = $1 AND ${PAID})
       - (SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE debit_account = $1 AND ${PAID_BACK}) AS paid`,
    [walletId],
  );
  return rows[0]?.paid ?? 0n;
}

/** Sums a wallet's net payments and net forfeits. */
export async function walletOrigins(tx: Queryable, walletId: bigint): Promise<{ paid: bigint; forfeited: bigint }> {
  const total = (side: 'credit_account' | 'debit_account', condition: string) =>
    `(SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE ${side} = $1 AND ${condition})`;
  const { rows } = await tx.query<{ paid: bigint; forfeited: bigint }>(
    `SELECT ${total('credit_account', PAID)} - ${total('debit_account', PAID_BACK)} AS paid,
       ${total('debit_account', "kind = 'forfeited'")} - ${total('credit_account', "kind = 'forfeit_returned'")} AS forfeited`,
    [walletId],
  );
  return rows[0] as { paid: bigint; forfeited: bigint };
}

/**
 * Sums what an owner's deleted customers forfeited, from `fromDay` (inclusive) to `toDay` (exclusive), UTC. With a project,
 * only its customers.
 */
export async function forfeitedBetween(
  db: Queryable,
  range: { ownerAccountId: string; projectId: string | undefined; fromDay: string; toDay: string },
): Promise<bigint> {
  const { rows } = await db.query<{ total: bigint }>(
    `SELECT coalesce(sum(CASE t.kind WHEN 'forfeited' THEN t.amount ELSE -t.amount END), 0)::bigint AS total
     FROM transfers t JOIN accounts a ON a.id = CASE t.kind WHEN 'forfeited' THEN t.debit_account ELSE t.credit_account END
     WHERE t.kind IN ('forfeited', 'forfeit_returned') AND a.owner_account_id = $1
       AND t.occurred_at >= $2::timestamp AT TIME ZONE 'UTC' AND t.occurred_at < $3::timestamp AT TIME ZONE 'UTC'
       AND ($4::uuid IS NULL OR EXISTS (SELECT FROM deleted_customers d WHERE d.id = a.ref_id AND d.project_id = $4))`,
    [range.ownerAccountId, range.fromDay, range.toDay, range.projectId ?? null],
  );
  return rows[0]?.total ?? 0n;
}
