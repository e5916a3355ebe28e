import { MICROCENTS_PER_CENT } from '@tollgate/money';
import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../../domain/hold.js';
import { sumSql } from './usage.js';

export interface DifferenceRow {
  account: string;
  field: string;
  stored: bigint;
  recomputed: bigint;
}

/** `all` reads every transfer that still exists; `open` starts from the sealed balances and reads only the open months. */
export type VerifiedPart = 'all' | 'open';

/** The month whose sealed balances the sums start from. Deleted transfers are only in the sealed balances. */
const EDGE: Record<VerifiedPart, string> = {
  open: "SELECT month, last_id FROM journal_months WHERE state = 'sealed' ORDER BY month DESC LIMIT 1",
  all: 'SELECT month, last_id FROM journal_months WHERE deleted_to IS NOT NULL ORDER BY month DESC LIMIT 1',
};

const DIFFERENCES_MAX = 1_000;

/**
 * Compares the accounts `mine` with their sealed balances, transfers, open holds and pending refunds. Reads each account's transfers by its
 * own index range, so that the work grows with the open transfers and not with the age of the ledger.
 */
function differencesSql(part: VerifiedPart, mine: string, isMineHold: string, isMineRefund: string): string {
  const open = (side: 'credit_account' | 'debit_account') =>
    `(SELECT sum(t.amount) AS total FROM transfers t
      WHERE t.${side} = m.id AND t.${side} > 1000 AND t.id > coalesce((SELECT last_id FROM edge), 0))`;
  return `WITH mine AS MATERIALIZED (${mine}), edge AS MATERIALIZED (${EDGE[part]}),
     held AS (
       SELECT id, sum(amount) AS total FROM (
         SELECT leg.id, leg.amount FROM holds h CROSS JOIN LATERAL unnest(h.account_ids, h.amounts) AS leg (id, amount)
         WHERE h.state = ${HOLD_STATES.open} AND ${isMineHold}
         UNION ALL SELECT r.account_id, r.amount_cents * ${MICROCENTS_PER_CENT} FROM payment_refunds r
         WHERE r.status = 'pending' AND ${isMineRefund}) reserved GROUP BY 1),
     compared AS (
       SELECT m.kind || ':' || m.ref_id AS account, x.field, x.stored, x.recomputed
       FROM mine m LEFT JOIN held h USING (id)
       LEFT JOIN LATERAL (SELECT s.total_credits, s.total_debits FROM sealed_balances s
         WHERE s.account_id = m.id AND s.month <= (SELECT month FROM edge) ORDER BY s.month DESC LIMIT 1) s ON true
       CROSS JOIN LATERAL ${open('credit_account')} c CROSS JOIN LATERAL ${open('debit_account')} d
       CROSS JOIN LATERAL (VALUES
         ('credits', m.credits, coalesce(s.total_credits, 0) + coalesce(c.total, 0)),
         ('debits', m.debits, coalesce(s.total_debits, 0) + coalesce(d.total, 0)),
         ('held', m.held, coalesce(h.total, 0))) AS x (field, stored, recomputed))
     SELECT account, field, stored, least(greatest(recomputed, -9223372036854775808), 9223372036854775807)::bigint AS recomputed
     FROM compared WHERE stored <> recomputed LIMIT ${DIFFERENCES_MAX}`;
}

/** Returns the owner's accounts whose sums differ from their transfers, open holds and pending refunds; empty if consistent. */
export async function ledgerDifferences(db: Queryable, ownerAccountId: string): Promise<DifferenceRow[]> {
  const mine = 'SELECT id, kind, ref_id, credits, debits, held FROM accounts WHERE owner_account_id = $1';
  const sql = differencesSql('open', mine, 'h.owner_account_id = $1', 'r.owner_account_id = $1');
  const { rows } = await db.query<DifferenceRow>(sql, [ownerAccountId]);
  return rows;
}

/** Like {@link ledgerDifferences}, for several owners. */
export async function differencesOfOwners(
  db: Queryable,
  part: VerifiedPart,
  owners: readonly string[],
): Promise<DifferenceRow[]> {
  const mine = 'SELECT id, kind, ref_id, credits, debits, held FROM accounts WHERE owner_account_id = ANY ($1::uuid[])';
  const isMine = 'owner_account_id = ANY ($1::uuid[])';
  const sql = differencesSql(part, mine, `h.${isMine}`, `r.${isMine}`);
  return (await db.query<DifferenceRow>(sql, [owners])).rows;
}

/** The owner of the counter-accounts. Every other owner has a greater id. */
export const FIRST_OWNER = '00000000-0000-0000-0000-000000000000';

/** Lists owner accounts in the order of their ids; jumps from one to the next along the index. */
export async function listOwners(db: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ owner: string }>(
    `WITH RECURSIVE owners AS (
       (SELECT owner_account_id AS owner, 1 AS n FROM accounts WHERE owner_account_id > $1 ORDER BY 1 LIMIT 1)
       UNION ALL
       SELECT (SELECT owner_account_id FROM accounts WHERE owner_account_id > owners.owner ORDER BY 1 LIMIT 1), n + 1
       FROM owners WHERE owners.owner IS NOT NULL AND n < $2)
     SELECT owner FROM owners WHERE owner IS NOT NULL`,
    [after, limit],
  );
  return rows.map(({ owner }) => owner);
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
