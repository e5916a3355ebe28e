// Generated from holds/open-holds.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';
import type { HoldState } from '../../../domain/hold.js';

export interface FindHoldsInput {
  holdIds: readonly string[];
}

export interface FindHoldsRow {
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
  tool_fee_tokens: bigint | null;
}

const FIND_HOLDS = `
  SELECT request_id, state, revision, owner_account_id, terms::text AS "terms", account_ids, amounts,
    progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
    unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens
  FROM holds
  WHERE request_id = ANY ($1::uuid[])`;

export async function findHolds(db: Queryable, input: FindHoldsInput): Promise<FindHoldsRow[]> {
  const { rows } = await db.query<FindHoldsRow>({
    name: 'find_holds',
    text: FIND_HOLDS,
    values: [
      arrayLiteral(input.holdIds),
    ],
  });
  return rows;
}

export interface LockHoldsInput {
  holdIds: readonly string[];
}

export interface LockHoldsRow {
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
  tool_fee_tokens: bigint | null;
}

const LOCK_HOLDS = `
  SELECT request_id, state, revision, owner_account_id, terms::text AS "terms", account_ids, amounts,
    progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
    unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens
  FROM holds
  WHERE request_id = ANY ($1::uuid[])
  ORDER BY request_id
  FOR UPDATE`;

/** Locks holds in id order. Every transaction that ends or changes holds locks their accounts first, or it can deadlock. */
export async function lockHolds(db: Queryable, input: LockHoldsInput): Promise<LockHoldsRow[]> {
  const { rows } = await db.query<LockHoldsRow>({
    name: 'lock_holds',
    text: LOCK_HOLDS,
    values: [
      arrayLiteral(input.holdIds),
    ],
  });
  return rows;
}

/** A row of `holds`. */
export interface InsertHoldsHoldsRow {
  requestId: string;
  ownerAccountId: string;
  customerId: string | null | undefined;
  modelId: string;
  terms: string;
  accountIds: readonly (bigint | number | null)[];
  amounts: readonly (bigint | number | null)[];
  freeBefore: readonly (bigint | number | null)[];
  ttlMs: number;
}

export interface InsertHoldsInput {
  holds: readonly InsertHoldsHoldsRow[];
}

const INSERT_HOLDS = `
  INSERT INTO holds (request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts, expires_at, free_before)
  SELECT request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts,
    now() + ttl_ms * interval '1 millisecond', free_before
  FROM (SELECT ($7::uuid[])[nth.i][1] AS request_id, ($7::uuid[])[nth.i][2] AS owner_account_id, nth.customer_id, nth.model_id, nth.terms::json AS terms, nth.account_ids::bigint[] AS account_ids, nth.amounts::bigint[] AS amounts, nth.free_before::bigint[] AS free_before, ($8::bigint[])[nth.i]::int AS ttl_ms FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS nth (customer_id, model_id, terms, account_ids, amounts, free_before, i)) AS h`;

export async function insertHolds(db: Queryable, input: InsertHoldsInput): Promise<void> {
  await db.query({
    name: 'insert_holds',
    text: INSERT_HOLDS,
    values: [
      binaryArray('uuid', input.holds.map((r) => r.customerId)),
      textArray(input.holds.map((r) => r.modelId)),
      textArray(input.holds.map((r) => r.terms)),
      textArray(input.holds.map((r) => arrayLiteral(r.accountIds))),
      textArray(input.holds.map((r) => arrayLiteral(r.amounts))),
      textArray(input.holds.map((r) => arrayLiteral(r.freeBefore))),
      uuidArray(input.holds, [(r) => r.requestId, (r) => r.ownerAccountId]),
      bigintArray(input.holds, [(r) => r.ttlMs]),
    ],
  });
}

/** A row of `amounts`. */
export interface RaiseHeldAmountsRow {
  id: bigint | number;
  amount: bigint | number;
}

export interface RaiseHeldInput {
  amounts: readonly RaiseHeldAmountsRow[];
}

const RAISE_HELD = `
  UPDATE accounts a SET held = a.held + t.amount FROM (SELECT ($1::bigint[])[nth.i][1] AS id, ($1::bigint[])[nth.i][2] AS amount FROM generate_subscripts($1::bigint[], 1) AS nth (i)) AS t WHERE a.id = t.id`;

/** Adds amounts to the held sums of accounts. The caller has locked them. */
export async function raiseHeld(db: Queryable, input: RaiseHeldInput): Promise<void> {
  await db.query({
    name: 'raise_held',
    text: RAISE_HELD,
    values: [
      bigintArray(input.amounts, [(r) => r.id, (r) => r.amount]),
    ],
  });
}

/** A row of `holds`. */
export interface GrowHoldsHoldsRow {
  requestId: string;
  accountIds: readonly (bigint | number | null)[];
  amounts: readonly (bigint | number | null)[];
  terms: string;
  revision: number;
}

export interface GrowHoldsInput {
  ttlMs: number;
  holds: readonly GrowHoldsHoldsRow[];
}

const GROW_HOLDS = `
  UPDATE holds h
  SET account_ids = t.account_ids, amounts = t.amounts, terms = t.terms, revision = t.revision,
    expires_at = greatest(h.expires_at, now() + $1::int * interval '1 millisecond')
  FROM (SELECT ($5::uuid[])[nth.i] AS request_id, nth.account_ids::bigint[] AS account_ids, nth.amounts::bigint[] AS amounts, nth.terms::json AS terms, ($6::bigint[])[nth.i]::int AS revision FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS nth (account_ids, amounts, terms, i)) AS t
  WHERE h.request_id = t.request_id`;

/** Writes extended holds, and lets them live at least `ttl_ms` from now. */
export async function growHolds(db: Queryable, input: GrowHoldsInput): Promise<void> {
  await db.query({
    name: 'grow_holds',
    text: GROW_HOLDS,
    values: [
      input.ttlMs,
      textArray(input.holds.map((r) => arrayLiteral(r.accountIds))),
      textArray(input.holds.map((r) => arrayLiteral(r.amounts))),
      textArray(input.holds.map((r) => r.terms)),
      uuidArray(input.holds, [(r) => r.requestId]),
      bigintArray(input.holds, [(r) => r.revision]),
    ],
  });
}

export interface ChangeLegsInput {
  accountIds: readonly (bigint | number)[];
  amounts: readonly (bigint | number)[];
  terms: string;
  holdId: string;
}

const CHANGE_LEGS = `
  UPDATE holds
  SET account_ids = $1, amounts = $2, terms = $3, free_before = NULL, revision = revision + 1
  WHERE request_id = $4`;

/** Writes the limits that a hold still draws on. The funds that it saw do not belong to these any more. */
export async function changeLegs(db: Queryable, input: ChangeLegsInput): Promise<void> {
  await db.query({
    name: 'change_legs',
    text: CHANGE_LEGS,
    values: [
      arrayLiteral(input.accountIds),
      arrayLiteral(input.amounts),
      input.terms,
      input.holdId,
    ],
  });
}

export interface InsertTombstoneInput {
  holdId: string;
  ownerAccountId: string;
  terms: string;
  modelId: string;
}

const INSERT_TOMBSTONE = `
  INSERT INTO holds (request_id, state, account_ids, amounts, expires_at, settled_at, superseded_at, owner_account_id,
    terms, model_id, input_tokens, output_tokens, images, customer_microcents, owner_microcents, overrun_microcents,
    unreconciled_microcents)
  VALUES ($1, 2, '{}', '{}', now(), now(), now(), $2,
    $3, $4, 0, 0, 0, 0, 0, 0, 0)
  ON CONFLICT (request_id) DO NOTHING`;

/** Writes a hold that was released before it was admitted, unless the hold exists. */
export async function insertTombstone(db: Queryable, input: InsertTombstoneInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_tombstone',
    text: INSERT_TOMBSTONE,
    values: [
      input.holdId,
      input.ownerAccountId,
      input.terms,
      input.modelId,
    ],
  });
  return rowCount ?? 0;
}
