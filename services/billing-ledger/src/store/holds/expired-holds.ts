import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../../domain/hold.js';
import { arrayLiteral } from '../sql-arrays.js';
import { HOLD_COLUMNS, type HoldRow } from './open-holds.js';

/** How many of the oldest expired holds are shared among their owners. */
const WINDOW = 1_000;

const UNCLAIMED = `state = ${HOLD_STATES.open} AND expires_at < now()
  AND (expiry_claimed_until IS NULL OR expiry_claimed_until < now())`;

/** Takes the oldest of each owner in turn. A row that another replica claims in the meantime is checked again under its lock. */
export const CLAIM_EXPIRED_HOLDS = `
  WITH due AS (
    SELECT request_id, row_number() OVER (PARTITION BY owner_account_id ORDER BY expires_at) AS place FROM (
      SELECT request_id, owner_account_id, expires_at FROM holds
      WHERE ${UNCLAIMED} AND owner_account_id <> ALL ($2::uuid[]) ORDER BY expires_at LIMIT ${WINDOW}) AS oldest),
  chosen AS (SELECT request_id FROM due ORDER BY place LIMIT $1),
  taken AS (SELECT request_id FROM holds WHERE request_id IN (SELECT request_id FROM chosen) AND ${UNCLAIMED}
    FOR UPDATE SKIP LOCKED)
  UPDATE holds SET expiry_claimed_until = now() + $3::int * interval '1 millisecond'
  WHERE request_id IN (SELECT request_id FROM taken) RETURNING ${HOLD_COLUMNS}`;

/**
 * Claims open holds past their expiry, so that no two replicas end the same ones, a fair share of each owner and none of
 * the owners in `except`. The claim changes nothing that settlements read: the settling statement checks the expiry again.
 */
export async function claimExpiredHolds(
  db: Queryable,
  claim: { limit: number; except: readonly string[]; claimMs: number },
): Promise<HoldRow[]> {
  const values = [claim.limit, arrayLiteral(claim.except), claim.claimMs];
  const { rows } = await db.query<HoldRow>({ name: 'claim_expired_holds', text: CLAIM_EXPIRED_HOLDS, values });
  return rows;
}
