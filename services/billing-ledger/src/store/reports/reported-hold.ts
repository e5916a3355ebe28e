import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';
import { HOLD_COLUMNS, type HoldRow } from '../holds/open-holds.js';

/** A hold with what only reports show. */
export interface ReportedHoldRow extends HoldRow {
  created_at: Date;
  expires_at: Date;
  settled_at: Date | null;
  /** By leg, as text. Null: not recorded. */
  free_before: (string | null)[] | null;
  /** Amounts of its transfers by kind, as text; null: none. */
  charges: Record<string, string> | null;
}

/** Returns a hold of the account. Its transfers are missing once their month is archived and deleted. */
export async function findReportedHold(
  db: Queryable,
  ownerAccountId: string,
  holdId: string,
): Promise<ReportedHoldRow | undefined> {
  const { rows } = await db.query<ReportedHoldRow>(
    `SELECT ${HOLD_COLUMNS}, created_at, expires_at, settled_at, free_before::text[] AS free_before,
        (SELECT json_object_agg(t.kind, t.amount::text) FROM transfers t WHERE t.cause = holds.request_id) AS charges
      FROM holds WHERE request_id = $1::uuid AND owner_account_id = $2::uuid`,
    [holdId, ownerAccountId],
  );
  return rows[0];
}

/** Returns the totals that limits grant, by account; balances have none. */
export async function readLimitTotals(db: Queryable, accounts: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const { rows } = await db.query<{ id: bigint; total: bigint }>(
    `SELECT id, limit_microcents AS total FROM accounts
      WHERE id = ANY($1::bigint[]) AND is_enforced AND limit_microcents IS NOT NULL`,
    [arrayLiteral(accounts)],
  );
  return new Map(rows.map(({ id, total }) => [id, total]));
}
