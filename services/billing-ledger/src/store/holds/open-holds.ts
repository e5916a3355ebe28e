import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';
import { HOLD_STATES, type Hold, termsToJson, tombstoneTerms, withoutRoles } from '../../domain/hold.js';
import type { LimitRole } from '../../domain/subject.js';
import {
  type HoldAllOrNothingHoldsRow,
  holdAllOrNothing as runHoldAllOrNothing,
} from '../gen/holds/hold-all-or-nothing.js';
import * as sql from '../gen/holds/open-holds.js';

/** A hold that is about to be written. */
export interface NewHold {
  hold: Hold;
  ttlMs: number;
  /** Funds that its limits had free, by leg; undefined: not enforced. Absent if the statement reads them. */
  freeBefore?: readonly (bigint | undefined)[];
}

/** Returns true if all holds are written and committed. Returns false, and writes nothing, if they do not all fit. */
export async function holdAllOrNothing(db: Queryable, holds: readonly NewHold[]): Promise<boolean> {
  const needs = sumNeeds(holds);
  const row = await runHoldAllOrNothing(db, { needs, holds: toPlacedRows(holds, needs) });
  return row?.ok === true;
}

/** Adds to each hold the places of its accounts among those of the statement, which reads their free funds in the order of ids. */
export function toPlacedRows(
  holds: readonly NewHold[],
  accounts: readonly { id: bigint }[],
): HoldAllOrNothingHoldsRow[] {
  const ids = accounts.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
  const places = new Map(ids.map((id, i) => [id, { place: i + 1, taken: 0n }]));
  return holds.map((each) => {
    const found = each.hold.legs.map(({ account }) => places.get(account)!);
    const placed = { ...toRow(each), places: found.map(({ place }) => place), taken: found.map(({ taken }) => taken) };
    each.hold.legs.forEach(({ amount }, i) => {
      found[i]!.taken += amount;
    });
    return placed;
  });
}

/** Inserts holds and adds their amounts to the accounts' held sums. The caller has locked the accounts and checked the funds. */
export async function insertHolds(tx: Queryable, holds: readonly NewHold[]): Promise<void> {
  await sql.raiseHeld(tx, { amounts: sumNeeds(holds).map(({ id, needed }) => ({ id, amount: needed })) });
  await sql.insertHolds(tx, {
    holds: holds.map((each) => ({
      ...toRow(each),
      freeBefore: each.freeBefore?.map((free) => free ?? null) ?? [],
    })),
  });
}

function toRow({ hold, ttlMs }: NewHold) {
  return {
    requestId: hold.holdId,
    ownerAccountId: hold.ownerAccountId,
    customerId: hold.terms.customerId,
    modelId: hold.terms.modelId,
    ...toLegs(hold),
    ttlMs,
  };
}

function toLegs({ legs, terms }: Hold) {
  return {
    accountIds: legs.map((leg) => leg.account),
    amounts: legs.map((leg) => leg.amount),
    terms: termsToJson(terms, legs),
  };
}

/** The amount that a batch of holds needs of one account. */
export interface AccountNeed {
  id: bigint;
  needed: bigint;
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
  const inserted = await sql.insertTombstone(db, {
    holdId,
    ownerAccountId: owner.accountId,
    terms: termsToJson(terms, []),
    modelId: terms.modelId,
  });
  return inserted === 1;
}

/** `terms` is read as text, because `holdFromRow` parses it. */
export type HoldRow = sql.FindHoldsRow;

export async function findHolds(db: Queryable, holdIds: readonly string[]): Promise<HoldRow[]> {
  return sql.findHolds(db, { holdIds });
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
  await sql.changeLegs(tx, {
    holdId: hold.holdId,
    ...toLegs({ ...hold, legs, terms: { ...terms, customerPrice: undefined } }),
  });
}

/** Locks holds in id order. Every transaction that ends or changes holds locks their accounts first, or it can deadlock. */
export async function lockHolds(tx: Queryable, holdIds: readonly string[]): Promise<HoldRow[]> {
  return sql.lockHolds(tx, { holdIds });
}

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
  await sql.raiseHeld(tx, { amounts: [...added].map(([id, amount]) => ({ id, amount })) });
  const grown = holds.map((hold) => ({ requestId: hold.holdId, revision: hold.revision, ...toLegs(hold) }));
  await sql.growHolds(tx, { holds: grown, ttlMs });
}

/** Records a hold as part of another. Returns true if the whole was superseded before. */
export async function joinWhole(db: Queryable, holdId: string, partId: string): Promise<boolean> {
  // Two statements: a later supersede of the whole finds the part; an earlier one is found by the second statement.
  await db.query('INSERT INTO hold_parts (request_id, part_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    holdId,
    partId,
  ]);
  const { rowCount } = await db.query('SELECT 1 FROM holds WHERE request_id = $1 AND superseded_at IS NOT NULL', [
    holdId,
  ]);
  return rowCount === 1;
}

export async function findParts(db: Queryable, holdId: string): Promise<string[]> {
  const { rows } = await db.query<{ part_id: string }>('SELECT part_id FROM hold_parts WHERE request_id = $1', [
    holdId,
  ]);
  return rows.map(({ part_id }) => part_id);
}

/** Marks the hold as superseded, so that its later parts are not admitted. */
export async function markSuperseded(db: Queryable, holdId: string): Promise<void> {
  await db.query('UPDATE holds SET superseded_at = coalesce(superseded_at, now()) WHERE request_id = $1', [holdId]);
}

/** Holds counted at most; a larger number is reported as this one. */
export const OPEN_HOLDS_COUNTED_MAX = 20_000;

/** Reads through the partial index of open holds, which holds no ended ones. */
export const OPEN_HOLD_TOTALS = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT created_at FROM holds WHERE state = ${HOLD_STATES.open} ORDER BY expires_at
        LIMIT ${OPEN_HOLDS_COUNTED_MAX}) AS open`;

export async function readOpenHoldTotals(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(OPEN_HOLD_TOTALS);
  return rows[0]!;
}
