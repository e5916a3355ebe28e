import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

/** Funds by leg, as text; null: the limit was not enforced. */
export type FreeBefore = (string | null)[];

/** Amounts of transfers by kind, as text. */
export type Charges = Record<string, string>;

/** Returns the totals that limits grant, by account; balances have none. */
export async function readLimitTotals(db: Queryable, accounts: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const { rows } = await db.query<{ id: bigint; total: bigint }>(
    `SELECT id, limit_microcents AS total FROM accounts
      WHERE id = ANY($1::bigint[]) AND is_enforced AND limit_microcents IS NOT NULL`,
    [arrayLiteral(accounts)],
  );
  return new Map(rows.map(({ id, total }) => [id, total]));
}
