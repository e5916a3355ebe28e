import type { Queryable } from '@tollgate/postgres';
import {
  HOLD_STATES,
  type Hold,
  type HoldLeg,
  type HoldTerms,
  termsToJson,
  tombstoneTerms,
} from '../../domain/hold.js';
import type { LimitRole } from '../../domain/subject.js';
import { arrayLiteral } from '../sql-arrays.js';

/** A hold that is about to be written. */
export interface NewHold {
  holdId: string;
  ownerAccountId: string;
  terms: HoldTerms;
  legs: readonly HoldLeg[];
  ttlMs: number;
}

const ROWS = `SELECT t.request_id, t.account_ids::bigint[] AS account_ids, t.amounts::bigint[] AS amounts,
    now() + t.ttl_ms * interval '1 millisecond' AS expires_at, t.owner_account_id, t.terms::json AS terms,
    nullif(t.customer_id, '')::uuid AS customer_id, t.model_id
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::text[])
    AS t (request_id, account_ids, amounts, ttl_ms, owner_account_id, terms, customer_id, model_id)`;
const COLUMNS = 'request_id, account_ids, amounts, expires_at, owner_account_id, terms, customer_id, model_id';

/**
 * Takes a whole batch of holds if every account covers all that the batch asks of it, else nothing: one statement, one
 * round trip, one commit. Accounts are locked in id order; the sums are judged on the locked rows.
 */
const HOLD_ALL_OR_NOTHING = `WITH leg AS (
    SELECT * FROM unnest($9::bigint[], $10::bigint[]) AS t (account_id, amount)
  ), need AS (
    SELECT account_id, sum(amount)::bigint AS total FROM leg GROUP BY account_id
  ), locked AS (
    SELECT a.id, NOT a.is_enforced OR a.credits - a.debits - a.held >= n.total AS fits
    FROM need n JOIN accounts a ON a.id = n.account_id ORDER BY a.id FOR UPDATE OF a
  ), verdict AS (
    SELECT coalesce(bool_and(fits), true) AND count(*) = (SELECT count(*) FROM need) AS ok FROM locked
  ), held AS (
    UPDATE accounts a SET held = a.held + n.total FROM need n, verdict v WHERE v.ok AND a.id = n.account_id RETURNING 1
  ), written AS (
    INSERT INTO holds (${COLUMNS}) SELECT r.* FROM (${ROWS}) r, verdict v WHERE v.ok RETURNING 1
  )
  SELECT ok FROM verdict`;

/** True: all are held and committed. False: nothing was written; decide one by one under lock. */
export async function holdAllOrNothing(db: Queryable, holds: readonly NewHold[]): Promise<boolean> {
  const legs = holds.flatMap((hold) => hold.legs);
  const { rows } = await db.query<{ ok: boolean }>({
    name: 'hold_all_or_nothing',
    text: HOLD_ALL_OR_NOTHING,
    values: [
      ...holdColumns(holds),
      arrayLiteral(legs.map((leg) => leg.account)),
      arrayLiteral(legs.map((leg) => leg.amount)),
    ],
  });
  return rows[0]?.ok === true;
}

/** Inserts holds whose accounts the caller has locked and judged, and adds their amounts to the accounts' held sums. */
export async function insertHolds(tx: Queryable, holds: readonly NewHold[]): Promise<void> {
  const sums = new Map<bigint, bigint>();
  for (const hold of holds)
    for (const leg of hold.legs) sums.set(leg.account, (sums.get(leg.account) ?? 0n) + leg.amount);
  await raiseHeld(tx, sums);
  await tx.query({ name: 'insert_holds', text: `INSERT INTO holds (${COLUMNS}) ${ROWS}`, values: holdColumns(holds) });
}

/** Whose request it is, as far as a hold records it. */
export interface HoldOwner {
  accountId: string;
  projectId: string;
}

/**
 * Records a request that was given up as released, so that its admission, should it arrive later, conflicts with this row
 * and finds its hold ended. Returns false, and changes nothing, when the request has a hold.
 */
export async function insertTombstone(db: Queryable, holdId: string, owner: HoldOwner): Promise<boolean> {
  const terms = tombstoneTerms(owner.projectId);
  const { rowCount } = await db.query(
    `INSERT INTO holds (request_id, state, account_ids, amounts, expires_at, settled_at, superseded_at, owner_account_id,
       terms, model_id, input_tokens, output_tokens, images, customer_microcents, owner_microcents, overrun_microcents, unreconciled_microcents)
     VALUES ($1, $2, '{}', '{}', now(), now(), now(), $3, $4, $5, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT (request_id) DO NOTHING`,
    [holdId, HOLD_STATES.released, owner.accountId, termsToJson(terms, []), terms.modelId],
  );
  return rowCount === 1;
}

export interface HoldRow {
  request_id: string;
  state: number;
  revision: number;
  owner_account_id: string;
  terms: string;
  account_ids: bigint[];
  amounts: bigint[];
  progress_input_tokens: bigint;
  progress_output_tokens: bigint;
  customer_microcents: bigint | null;
  owner_microcents: bigint | null;
  overrun_microcents: bigint | null;
  unreconciled_microcents: bigint | null;
  input_tokens: bigint | null;
  output_tokens: bigint | null;
  images: number | null;
}

/** Columns of {@link HoldRow}; `terms` as text, so that the driver does not parse what `holdFromRow` parses. */
export const HOLD_COLUMNS = `request_id, state, revision, owner_account_id, terms::text AS terms, account_ids, amounts,
  progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents, unreconciled_microcents,
  input_tokens, output_tokens, images`;

export async function findHolds(db: Queryable, holdIds: readonly string[]): Promise<HoldRow[]> {
  const { rows } = await db.query<HoldRow>({
    name: 'find_holds',
    text: `SELECT ${HOLD_COLUMNS} FROM holds WHERE request_id = ANY($1::uuid[])`,
    values: [arrayLiteral(holdIds)],
  });
  return rows;
}

/** Open holds past their expiry, oldest first. Not locked: the settling statement checks again. */
export async function findExpiredHolds(db: Queryable, limit: number): Promise<HoldRow[]> {
  const { rows } = await db.query<HoldRow>(
    `SELECT ${HOLD_COLUMNS} FROM holds WHERE state = 0 AND expires_at < now() ORDER BY expires_at LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Extends an open hold and stores how far its request got; counters never go back. False: the hold has ended. */
export async function recordProgress(
  db: Queryable,
  holdId: string,
  ttlMs: number,
  inputTokens: bigint,
  outputTokens: bigint,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record_progress',
    text: `UPDATE holds SET expires_at = now() + $2::int * interval '1 millisecond',
        progress_input_tokens = greatest(progress_input_tokens, $3), progress_output_tokens = greatest(progress_output_tokens, $4)
      WHERE request_id = $1 AND state = 0`,
    values: [holdId, ttlMs, inputTokens, outputTokens],
  });
  return rowCount === 1;
}

/** Takes some limits out of an open hold that the caller has locked with its accounts. */
export async function releaseLegs(tx: Queryable, hold: Hold, isReleased: (role: LimitRole) => boolean): Promise<void> {
  const released = hold.legs.filter((leg) => isReleased(leg.role));
  if (released.length === 0) return;
  await tx.query(
    `UPDATE accounts a SET held = a.held - t.amount FROM unnest($1::bigint[], $2::bigint[]) AS t (id, amount) WHERE a.id = t.id`,
    [arrayLiteral(released.map((leg) => leg.account)), arrayLiteral(released.map((leg) => leg.amount))],
  );
  await forgetLegs(tx, hold, isReleased);
}

/** The same for a hold that has ended and holds nothing any more: a late report is not charged to these limits. */
export async function forgetLegs(tx: Queryable, hold: Hold, isForgotten: (role: LimitRole) => boolean): Promise<void> {
  const kept = hold.legs.filter((leg) => !isForgotten(leg.role));
  const spare = Object.entries(hold.terms.spare ?? {}).filter(([role]) => !isForgotten(role as LimitRole));
  await tx.query(
    'UPDATE holds SET account_ids = $2, amounts = $3, terms = $4, revision = revision + 1 WHERE request_id = $1',
    [
      hold.holdId,
      arrayLiteral(kept.map((leg) => leg.account)),
      arrayLiteral(kept.map((leg) => leg.amount)),
      termsToJson({ ...hold.terms, customerPrice: undefined, spare: Object.fromEntries(spare) }, kept),
    ],
  );
}

/** Locks holds in a fixed order; after the accounts, like everybody who ends or changes them. */
export async function lockHolds(tx: Queryable, holdIds: readonly string[]): Promise<HoldRow[]> {
  const { rows } = await tx.query<HoldRow>({
    name: 'lock_holds',
    text: `SELECT ${HOLD_COLUMNS} FROM holds WHERE request_id = ANY($1::uuid[]) ORDER BY request_id FOR UPDATE`,
    values: [arrayLiteral(holdIds)],
  });
  return rows;
}

/**
 * Writes open holds that have grown, whose accounts and rows the caller has locked and judged, and adds what they grew by
 * to the accounts. They live at least `ttlMs` from now.
 */
export async function growHolds(
  tx: Queryable,
  holds: readonly Hold[],
  added: ReadonlyMap<bigint, bigint>,
  ttlMs: number,
): Promise<void> {
  await raiseHeld(tx, added);
  await tx.query({
    name: 'grow_holds',
    text: `UPDATE holds h SET account_ids = t.account_ids::bigint[], amounts = t.amounts::bigint[], terms = t.terms::json,
        revision = t.revision, expires_at = greatest(h.expires_at, now() + $6::int * interval '1 millisecond')
      FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[]) AS t (request_id, account_ids, amounts, terms, revision)
      WHERE h.request_id = t.request_id`,
    values: [
      arrayLiteral(holds.map((h) => h.holdId)),
      holds.map((h) => arrayLiteral(h.legs.map((leg) => leg.account))),
      holds.map((h) => arrayLiteral(h.legs.map((leg) => leg.amount))),
      holds.map((h) => termsToJson(h.terms, h.legs)),
      arrayLiteral(holds.map((h) => h.revision)),
      ttlMs,
    ],
  });
}

async function raiseHeld(tx: Queryable, amounts: ReadonlyMap<bigint, bigint>): Promise<void> {
  await tx.query({
    name: 'raise_held',
    text: `UPDATE accounts a SET held = a.held + t.amount
      FROM unnest($1::bigint[], $2::bigint[]) AS t (id, amount) WHERE a.id = t.id`,
    values: [arrayLiteral(amounts.keys()), arrayLiteral(amounts.values())],
  });
}

function holdColumns(holds: readonly NewHold[]): unknown[] {
  return [
    arrayLiteral(holds.map((h) => h.holdId)),
    holds.map((h) => arrayLiteral(h.legs.map((leg) => leg.account))),
    holds.map((h) => arrayLiteral(h.legs.map((leg) => leg.amount))),
    arrayLiteral(holds.map((h) => h.ttlMs)),
    arrayLiteral(holds.map((h) => h.ownerAccountId)),
    holds.map((h) => termsToJson(h.terms, h.legs)),
    holds.map((h) => h.terms.customerId ?? ''),
    holds.map((h) => h.terms.modelId),
  ];
}
