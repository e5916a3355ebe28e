import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../../domain/hold.js';
import { sumSql } from './usage.js';

export interface DifferenceRow {
  account: string;
  field: string;
  stored: bigint;
  recomputed: bigint;
}

/** Returns the owner's accounts whose sums differ from their transfers and open holds; empty if consistent. */
export async function ledgerDifferences(db: Queryable, ownerAccountId: string): Promise<DifferenceRow[]> {
  const { rows } = await db.query<DifferenceRow>(
    `WITH mine AS (SELECT * FROM accounts WHERE owner_account_id = $1),
     credited AS (SELECT credit_account AS id, ${sumSql('amount')} AS total FROM transfers WHERE credit_account > 1000 AND credit_account IN (SELECT id FROM mine) GROUP BY 1),
     debited AS (SELECT debit_account AS id, ${sumSql('amount')} AS total FROM transfers WHERE debit_account > 1000 AND debit_account IN (SELECT id FROM mine) GROUP BY 1),
     held AS (
       SELECT leg.id, ${sumSql('leg.amount')} AS total
       FROM holds h CROSS JOIN LATERAL unnest(h.account_ids, h.amounts) AS leg (id, amount)
       WHERE h.state = ${HOLD_STATES.open} AND h.owner_account_id = $1 GROUP BY 1),
     compared AS (
       SELECT m.kind || ':' || m.ref_id AS account, x.field, x.stored, x.recomputed
       FROM mine m LEFT JOIN credited c USING (id) LEFT JOIN debited d USING (id) LEFT JOIN held h USING (id)
       CROSS JOIN LATERAL (VALUES ('credits', m.credits, coalesce(c.total, 0)), ('debits', m.debits, coalesce(d.total, 0)),
                                  ('held', m.held, coalesce(h.total, 0))) AS x (field, stored, recomputed))
     SELECT * FROM compared WHERE stored <> recomputed LIMIT 1000`,
    [ownerAccountId],
  );
  return rows;
}

export async function ledgerTotals(
  db: Queryable,
  ownerAccountId: string,
): Promise<{ openHolds: bigint; overrun: bigint; unreconciled: bigint }> {
  const { rows } = await db.query<{ openHolds: bigint; overrun: bigint; unreconciled: bigint }>(
    `SELECT (SELECT count(*) FROM holds WHERE state = ${HOLD_STATES.open} AND owner_account_id = $1) AS "openHolds",
       ${sumSql('overrun_microcents')} AS overrun,
       ${sumSql('unreconciled_microcents')} AS unreconciled
     FROM usage_rollups WHERE owner_account_id = $1`,
    [ownerAccountId],
  );
  return rows[0] as { openHolds: bigint; overrun: bigint; unreconciled: bigint };
}

/** Returns the owner accounts that have ledger accounts, in the order of their ids. */
export async function listOwnerAccounts(db: Queryable, after: string | undefined, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT DISTINCT owner_account_id AS id FROM accounts
     WHERE id > 1000 AND owner_account_id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
     ORDER BY owner_account_id LIMIT $2`,
    [after ?? null, limit],
  );
  return rows.map(({ id }) => id);
}
