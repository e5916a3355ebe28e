import type { Queryable } from '@tollgate/postgres';

/** Sums a wallet's net payments and net forfeits. */
export async function walletOrigins(tx: Queryable, walletId: bigint): Promise<{ paid: bigint; forfeited: bigint }> {
  const total = (side: 'credit_account' | 'debit_account', kinds: string) =>
    `(SELECT coalesce(sum(amount), 0)::bigint FROM transfers WHERE ${side} = $1 AND kind IN (${kinds}))`;
  const { rows } = await tx.query<{ paid: bigint; forfeited: bigint }>(
    `SELECT ${total('credit_account', "'top_up', 'refund_failed', 'dispute_won'")}
       - ${total('debit_account', "'refund', 'dispute'")} AS paid,
       ${total('debit_account', "'forfeited'")} - ${total('credit_account', "'forfeit_returned'")} AS forfeited`,
    [walletId],
  );
  return rows[0] as { paid: bigint; forfeited: bigint };
}

/** Sums what an owner's deleted customers forfeited, from `fromDay` (inclusive) to `toDay` (exclusive), UTC. */
export async function forfeitedBetween(
  db: Queryable,
  range: { ownerAccountId: string; fromDay: string; toDay: string },
): Promise<bigint> {
  const { rows } = await db.query<{ total: bigint }>(
    `SELECT coalesce(sum(CASE t.kind WHEN 'forfeited' THEN t.amount ELSE -t.amount END), 0)::bigint AS total
     FROM transfers t JOIN accounts a ON a.id = CASE t.kind WHEN 'forfeited' THEN t.debit_account ELSE t.credit_account END
     WHERE t.kind IN ('forfeited', 'forfeit_returned') AND a.owner_account_id = $1
       AND t.occurred_at >= $2::timestamp AT TIME ZONE 'UTC' AND t.occurred_at < $3::timestamp AT TIME ZONE 'UTC'`,
    [range.ownerAccountId, range.fromDay, range.toDay],
  );
  return rows[0]?.total ?? 0n;
}
