// Generated from holds/hold-all-or-nothing.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `needs`. */
export interface HoldAllOrNothingNeedsRow {
  id: bigint | number;
  needed: bigint | number;
}

/** A row of `holds`. */
export interface HoldAllOrNothingHoldsRow {
  requestId: string;
  ownerAccountId: string;
  customerId: string | null | undefined;
  modelId: string;
  terms: string;
  accountIds: readonly (bigint | number | null)[];
  amounts: readonly (bigint | number | null)[];
  places: readonly (number | null)[];
  taken: readonly (bigint | number | null)[];
  ttlMs: number;
}

export interface HoldAllOrNothingInput {
  needs: readonly HoldAllOrNothingNeedsRow[];
  holds: readonly HoldAllOrNothingHoldsRow[];
}

export interface HoldAllOrNothingRow {
  ok: boolean;
}

const HOLD_ALL_OR_NOTHING = `
  WITH locked AS (
    SELECT a.id, n.needed, NOT a.is_enforced OR a.credits - a.debits - a.held >= n.needed AS fits,
      CASE WHEN a.is_enforced THEN a.credits - a.debits - a.held END AS free
    FROM (SELECT ($1::bigint[])[nth.i][1] AS id, ($1::bigint[])[nth.i][2] AS needed FROM generate_subscripts($1::bigint[], 1) AS nth (i)) AS n JOIN accounts a ON a.id = n.id
    ORDER BY a.id
    FOR UPDATE OF a
  ),
  seen AS (
    SELECT array_agg(free ORDER BY id) AS free FROM locked
  ),
  verdict AS (
    SELECT coalesce(bool_and(fits), true) AND count(*) = coalesce(array_length($1::bigint[], 1), 0) AS ok FROM locked
  ),
  held AS (
    UPDATE accounts a SET held = a.held + l.needed FROM locked l, verdict v WHERE v.ok AND a.id = l.id
  ),
  written AS (
    INSERT INTO holds (request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts, expires_at, free_before)
    SELECT h.request_id, h.owner_account_id, h.customer_id, h.model_id, h.terms, h.account_ids, h.amounts,
      now() + h.ttl_ms * interval '1 millisecond',
      ARRAY(SELECT seen.free[u.place] - u.taken FROM unnest(h.places, h.taken) AS u (place, taken))
    FROM (SELECT ($9::uuid[])[nth.i][1] AS request_id, ($9::uuid[])[nth.i][2] AS owner_account_id, nth.customer_id, nth.model_id, nth.terms::json AS terms, nth.account_ids::bigint[] AS account_ids, nth.amounts::bigint[] AS amounts, nth.places::int[] AS places, nth.taken::bigint[] AS taken, ($10::bigint[])[nth.i]::int AS ttl_ms FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS nth (customer_id, model_id, terms, account_ids, amounts, places, taken, i)) AS h, seen
    WHERE (SELECT ok FROM verdict)
  )
  SELECT ok AS "ok" FROM verdict`;

/**
 * Writes a batch of holds if every account covers everything that the batch needs of it, and nothing otherwise: one
 * statement, one round trip, one commit. Locks the accounts in id order and checks the sums on the locked rows.
 *
 * `places` are the positions of a hold's accounts among the needs, in the order of ids, and `taken` is what earlier holds of
 * the batch take of each.
 */
export async function holdAllOrNothing(db: Queryable, input: HoldAllOrNothingInput): Promise<HoldAllOrNothingRow | undefined> {
  const { rows } = await db.query<HoldAllOrNothingRow>({
    name: 'hold_all_or_nothing',
    text: HOLD_ALL_OR_NOTHING,
    values: [
      bigintArray(input.needs, [(r) => r.id, (r) => r.needed]),
      binaryArray('uuid', input.holds.map((r) => r.customerId)),
      textArray(input.holds.map((r) => r.modelId)),
      textArray(input.holds.map((r) => r.terms)),
      textArray(input.holds.map((r) => arrayLiteral(r.accountIds))),
      textArray(input.holds.map((r) => arrayLiteral(r.amounts))),
      textArray(input.holds.map((r) => arrayLiteral(r.places))),
      textArray(input.holds.map((r) => arrayLiteral(r.taken))),
      uuidArray(input.holds, [(r) => r.requestId, (r) => r.ownerAccountId]),
      bigintArray(input.holds, [(r) => r.ttlMs]),
    ],
  });
  return rows[0];
}
