import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, defineColumns, number, text, uuid } from '@tollgate/postgres/columns';
import {
  HOLD_STATES,
  type Hold,
  type HoldState,
  termsToJson,
  tombstoneTerms,
  withoutRoles,
} from '../../domain/hold.js';
import type { LimitRole } from '../../domain/subject.js';

/** A hold that is about to be written. */
export interface NewHold {
  hold: Hold;
  ttlMs: number;
  /** Funds that its limits had free, by leg; undefined: not enforced. Absent if the statement reads them. */
  freeBefore?: readonly (bigint | undefined)[];
}

/** A hold with the places of its accounts among those of its batch, and what the earlier holds of the batch take of each. */
interface PlacedHold extends NewHold {
  places?: readonly number[];
  taken?: readonly bigint[];
}

export const NEW_HOLDS = defineColumns<PlacedHold>({
  request_id: uuid(({ hold }) => hold.holdId),
  account_ids: text(({ hold }) => arrayLiteral(hold.legs.map((leg) => leg.account))),
  amounts: text(({ hold }) => arrayLiteral(hold.legs.map((leg) => leg.amount))),
  ttl_ms: number('int', ({ ttlMs }) => ttlMs),
  owner_account_id: uuid(({ hold }) => hold.ownerAccountId),
  terms: text(({ hold }) => termsToJson(hold.terms, hold.legs)),
  customer_id: text(({ hold }) => hold.terms.customerId ?? ''),
  model_id: text(({ hold }) => hold.terms.modelId),
  places: text(({ places = [] }) => arrayLiteral(places)),
  free: text(({ freeBefore, taken = [] }) => arrayLiteral(freeBefore?.map((free) => free ?? 'NULL') ?? taken)),
});

/** The amount that a batch of holds needs of one account. */
export interface AccountNeed {
  id: bigint;
  needed: bigint;
}

const NEEDS = defineColumns<AccountNeed>({
  id: number('bigint', (need) => need.id),
  needed: number('bigint', (need) => need.needed),
});

const INSERT = `INSERT INTO holds
  (request_id, account_ids, amounts, expires_at, owner_account_id, terms, customer_id, model_id, free_before)`;

/** The part `seen` of a statement: the free funds of the accounts of `locked` in the order of their ids. */
export const SEEN = 'seen AS (SELECT array_agg(l.free ORDER BY l.id) AS free FROM locked l)';

/** The funds that the limits of a hold `t` had free, from the part {@link SEEN}. */
const FREE_BEFORE = `ARRAY(SELECT seen.free[u.place] - u.taken FROM unnest(t.places::int[], t.free::bigint[]) AS u (place, taken))`;

/** Returns the SQL that inserts holds if `condition` is true, with their parameters numbered from `first`. Follows {@link SEEN}. */
export function insertSeenHolds(first: number, condition: string): string {
  return insertNewHolds(first, FREE_BEFORE, `, seen WHERE ${condition}`);
}

function insertNewHolds(first: number, freeBefore: string, rest = ''): string {
  return `${INSERT} SELECT t.request_id, t.account_ids::bigint[], t.amounts::bigint[],
      now() + t.ttl_ms * interval '1 millisecond', t.owner_account_id, t.terms::json,
      nullif(t.customer_id, '')::uuid, t.model_id, ${freeBefore}
    FROM ${NEW_HOLDS.unnest('t', first)}${rest}`;
}

/** SQL of the verdict whether all needs fit, from the part `locked`. `parameter` is the number of the needs' parameter. */
export function fitsAll(parameter: number): string {
  return `SELECT coalesce(bool_and(fits), true) AND count(*) = coalesce(array_length($${parameter}::bigint[], 1), 0) AS ok FROM locked`;
}

const NEEDS_AT = 1 + NEW_HOLDS.parameterCount;

/**
 * Writes a batch of holds if every account covers everything that the batch needs of it, and nothing otherwise: one
 * statement, one round trip, one commit. Locks the accounts in id order and checks the sums on the locked rows.
 */
const HOLD_ALL_OR_NOTHING = `WITH locked AS (
    SELECT a.id, n.needed, NOT a.is_enforced OR a.credits - a.debits - a.held >= n.needed AS fits,
      CASE WHEN a.is_enforced THEN a.credits - a.debits - a.held END AS free
    FROM ${NEEDS.unnest('n', NEEDS_AT)} JOIN accounts a ON a.id = n.id ORDER BY a.id
      -- fault point: lock no accounts
      FOR UPDATE OF a
  ), ${SEEN}, verdict AS (
    ${fitsAll(NEEDS_AT)}
  ), held AS (
    UPDATE accounts a SET held = a.held + l.needed FROM locked l, verdict v WHERE v.ok AND a.id = l.id RETURNING 1
  ), written AS (
    ${insertSeenHolds(1, '(SELECT ok FROM verdict)')} RETURNING 1
  )
  SELECT ok FROM verdict`;

/** Returns true if all holds are written and committed. Returns false, and writes nothing, if they do not all fit. */
export async function holdAllOrNothing(db: Queryable, holds: readonly NewHold[]): Promise<boolean> {
  const needs = sumNeeds(holds);
  const { rows } = await db.query<{ ok: boolean }>({
    name: 'hold_all_or_nothing',
    text: HOLD_ALL_OR_NOTHING,
    values: [...NEW_HOLDS.encode(placeHolds(holds, needs)), ...NEEDS.encode(needs)],
  });
  return rows[0]?.ok === true;
}

/** Adds to each hold the places of its accounts among all accounts of the statement, which {@link SEEN} lists by id. */
export function placeHolds(holds: readonly NewHold[], accounts: readonly { id: bigint }[]): PlacedHold[] {
  const ids = accounts.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
  const places = new Map(ids.map((id, i) => [id, { place: i + 1, taken: 0n }]));
  return holds.map((each) => {
    const found = each.hold.legs.map(({ account }) => places.get(account)!);
    const placed = { ...each, places: found.map(({ place }) => place), taken: found.map(({ taken }) => taken) };
    each.hold.legs.forEach(({ amount }, i) => {
      found[i]!.taken += amount;
    });
    return placed;
  });
}

const INSERT_HOLDS = insertNewHolds(1, 't.free::bigint[]');

/** Inserts holds and adds their amounts to the accounts' held sums. The caller has locked the accounts and checked the funds. */
export async function insertHolds(tx: Queryable, holds: readonly NewHold[]): Promise<void> {
  await raiseHeld(tx, new Map(sumNeeds(holds).map(({ id, needed }) => [id, needed])));
  await tx.query({ name: 'insert_holds', text: INSERT_HOLDS, values: NEW_HOLDS.encode(holds) });
}

/** Sums what holds need of each account. */
export function sumNeeds(holds: readonly NewHold[]): AccountNeed[] {
  const sums = new Map<bigint, AccountNeed>();
  for (const { hold } of holds) {
    for (const { account, amount } of hold.legs) {
      const sum = sums.get(account);
      if (sum) sum.needed += amount;
      else sums.set(account, { id: account, needed: amount });
    }
  }
  return [...sums.values()];
}

/** The account and project that a hold belongs to. */
export interface HoldOwner {
  accountId: string;
  projectId: string;
}

/**
 * Records a hold as released before it is admitted, so that a later admission conflicts with this row and finds its hold
 * ended. Returns false, and changes nothing, if the hold exists.
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
  state: HoldState;
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
  /** Part of `input_tokens`; null: none. */
  tool_fee_tokens: bigint | null;
}

/** Columns of {@link HoldRow}. `terms` is read as text, because `holdFromRow` parses it. */
export const HOLD_COLUMNS = `request_id, state, revision, owner_account_id, terms::text AS terms, account_ids, amounts,
  progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents, unreconciled_microcents,
  input_tokens, output_tokens, images, tool_fee_tokens`;

export async function findHolds(db: Queryable, holdIds: readonly string[]): Promise<HoldRow[]> {
  const { rows } = await db.query<HoldRow>({
    name: 'find_holds',
    text: `SELECT ${HOLD_COLUMNS} FROM holds WHERE request_id = ANY($1::uuid[])`,
    values: [arrayLiteral(holdIds)],
  });
  return rows;
}

/** Releases some legs of an open hold. The caller has locked the hold and its accounts. */
export async function releaseLegs(tx: Queryable, hold: Hold, isReleased: (role: LimitRole) => boolean): Promise<void> {
  const released = hold.legs.filter((leg) => isReleased(leg.role));
  if (released.length === 0) return;
  await tx.query(
    `UPDATE accounts a SET held = a.held - t.amount FROM unnest($1::bigint[], $2::bigint[]) AS t (id, amount) WHERE a.id = t.id`,
    [arrayLiteral(released.map((leg) => leg.account)), arrayLiteral(released.map((leg) => leg.amount))],
  );
  await forgetLegs(tx, hold, isReleased);
}

/** Removes legs of a hold without changing accounts, so that a report is not charged to these limits. */
export async function forgetLegs(tx: Queryable, hold: Hold, isForgotten: (role: LimitRole) => boolean): Promise<void> {
  const { legs, terms } = withoutRoles(hold, isForgotten);
  await tx.query(
    'UPDATE holds SET account_ids = $2, amounts = $3, terms = $4, free_before = NULL, revision = revision + 1 WHERE request_id = $1',
    [
      hold.holdId,
      arrayLiteral(legs.map((leg) => leg.account)),
      arrayLiteral(legs.map((leg) => leg.amount)),
      termsToJson({ ...terms, customerPrice: undefined }, legs),
    ],
  );
}

/** Locks holds in id order. Every transaction that ends or changes holds locks their accounts first, or it can deadlock. */
export async function lockHolds(tx: Queryable, holdIds: readonly string[]): Promise<HoldRow[]> {
  const { rows } = await tx.query<HoldRow>({
    name: 'lock_holds',
    text: `SELECT ${HOLD_COLUMNS} FROM holds WHERE request_id = ANY($1::uuid[]) ORDER BY request_id FOR UPDATE`,
    values: [arrayLiteral(holdIds)],
  });
  return rows;
}

const GROWN_HOLDS = defineColumns<Hold>({
  request_id: uuid((hold) => hold.holdId),
  account_ids: text((hold) => arrayLiteral(hold.legs.map((leg) => leg.account))),
  amounts: text((hold) => arrayLiteral(hold.legs.map((leg) => leg.amount))),
  terms: text((hold) => termsToJson(hold.terms, hold.legs)),
  revision: number('int', (hold) => hold.revision),
});

const GROW_HOLDS = `UPDATE holds h SET account_ids = t.account_ids::bigint[], amounts = t.amounts::bigint[], terms = t.terms::json,
    revision = t.revision,
    expires_at = greatest(h.expires_at, now() + $${GROWN_HOLDS.parameterCount + 1}::int * interval '1 millisecond')
  FROM ${GROWN_HOLDS.unnest('t')} WHERE h.request_id = t.request_id`;

/**
 * Writes extended holds, adds the extensions to the accounts' held sums, and lets the holds live at least `ttlMs` from now.
 * The caller has locked accounts and holds and checked the funds.
 */
export async function growHolds(
  tx: Queryable,
  holds: readonly Hold[],
  added: ReadonlyMap<bigint, bigint>,
  ttlMs: number,
): Promise<void> {
  await raiseHeld(tx, added);
  await tx.query({ name: 'grow_holds', text: GROW_HOLDS, values: [...GROWN_HOLDS.encode(holds), ttlMs] });
}

async function raiseHeld(tx: Queryable, amounts: ReadonlyMap<bigint, bigint>): Promise<void> {
  await tx.query({
    name: 'raise_held',
    text: `UPDATE accounts a SET held = a.held + t.amount
      FROM unnest($1::bigint[], $2::bigint[]) AS t (id, amount) WHERE a.id = t.id`,
    values: [arrayLiteral(amounts.keys()), arrayLiteral(amounts.values())],
  });
}
