// Generated from holds/settle-and-hold.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral, bigintArray, binaryArray, byteaArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `changes`. */
export interface SettleAndHoldChangesRow {
  id: bigint | number;
  held: bigint | number;
  posted: bigint | number;
  needed: bigint | number;
}

/** A row of `holds`. */
export interface SettleAndHoldHoldsRow {
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

/** A row of `ended`. */
export interface SettleAndHoldEndedRow {
  requestId: string;
  revision: number;
  state: number;
  inputTokens: bigint | number;
  outputTokens: bigint | number;
  images: number;
  toolFeeTokens: bigint | number;
  feeMicrocents: bigint | number;
  customerMicrocents: bigint | number;
  ownerMicrocents: bigint | number;
  overrunMicrocents: bigint | number;
  unreconciledMicrocents: bigint | number;
}

/** A row of `transfers`. */
export interface SettleAndHoldTransfersRow {
  cause: string;
  debitAccount: bigint | number;
  creditAccount: bigint | number;
  amount: bigint | number;
  kind: string;
}

/** A row of `events`. */
export interface SettleAndHoldEventsRow {
  id: string;
  topic: string;
  key: string;
  type: string;
  payload: Uint8Array;
  requestId: string;
  traceparent: string | null | undefined;
}

/** A row of `rollups`. */
export interface SettleAndHoldRollupsRow {
  owner: string;
  project: string;
  customer: string;
  windowMs: bigint | number;
  key: string;
  model: string;
  requests: bigint | number;
  input: bigint | number;
  output: bigint | number;
  images: bigint | number;
  charged: bigint | number;
  provider: bigint | number;
  overrun: bigint | number;
  unreconciled: bigint | number;
}

export interface SettleAndHoldInput {
  changes: readonly SettleAndHoldChangesRow[];
  holds: readonly SettleAndHoldHoldsRow[];
  ended: readonly SettleAndHoldEndedRow[];
  transfers: readonly SettleAndHoldTransfersRow[];
  events: readonly SettleAndHoldEventsRow[];
  rollups: readonly SettleAndHoldRollupsRow[];
}

export interface SettleAndHoldRow {
  require_all_ended: boolean | null;
  ok: boolean;
  reached: boolean;
}

const SETTLE_AND_HOLD = `
  WITH locked AS (
    SELECT a.id, c.held, c.posted, c.needed,
      c.needed = 0 OR NOT a.is_enforced OR a.credits - a.debits - c.posted - a.held + c.held >= c.needed AS fits,
      CASE WHEN a.is_enforced THEN a.credits - a.debits - c.posted - a.held + c.held END AS free
    FROM (SELECT ($1::bigint[])[nth.i][1] AS id, ($1::bigint[])[nth.i][2] AS held, ($1::bigint[])[nth.i][3] AS posted, ($1::bigint[])[nth.i][4] AS needed FROM generate_subscripts($1::bigint[], 1) AS nth (i)) AS c JOIN accounts a ON a.id = c.id
    ORDER BY a.id
    FOR UPDATE OF a
  ),
  seen AS (SELECT array_agg(free ORDER BY id) AS free FROM locked),
  verdict AS (SELECT coalesce(bool_and(fits), true) AND count(*) = coalesce(array_length($1::bigint[], 1), 0) AS ok FROM locked),
  sums AS (
    UPDATE accounts a SET held = a.held - l.held + CASE WHEN v.ok THEN l.needed ELSE 0 END, debits = a.debits + l.posted
    FROM locked l, verdict v WHERE a.id = l.id
    RETURNING a.id, a.kind, a.is_enforced, a.limit_microcents, a.limit_microcents - a.credits + a.debits AS used, l.posted
  ),
  written AS (
    INSERT INTO holds (request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts, expires_at, free_before)
    SELECT h.request_id, h.owner_account_id, h.customer_id, h.model_id, h.terms, h.account_ids, h.amounts,
      now() + h.ttl_ms * interval '1 millisecond',
      ARRAY(SELECT seen.free[u.place] - u.taken FROM unnest(h.places, h.taken) AS u (place, taken))
    FROM (SELECT ($9::uuid[])[nth.i][1] AS request_id, ($9::uuid[])[nth.i][2] AS owner_account_id, nth.customer_id, nth.model_id, nth.terms::json AS terms, nth.account_ids::bigint[] AS account_ids, nth.amounts::bigint[] AS amounts, nth.places::int[] AS places, nth.taken::bigint[] AS taken, ($10::bigint[])[nth.i]::int AS ttl_ms FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS nth (customer_id, model_id, terms, account_ids, amounts, places, taken, i)) AS h, seen WHERE (SELECT ok FROM verdict)
  ),
  ended AS (
    UPDATE holds SET settled_at = now(), (state, input_tokens, output_tokens, images, tool_fee_tokens, fee_microcents,
      customer_microcents, owner_microcents, overrun_microcents, unreconciled_microcents) = (
        SELECT ($12::bigint[])[at.i][2]::smallint, ($12::bigint[])[at.i][3], ($12::bigint[])[at.i][4], ($12::bigint[])[at.i][5]::int,
          ($12::bigint[])[at.i][6], ($12::bigint[])[at.i][7], ($12::bigint[])[at.i][8],
          ($12::bigint[])[at.i][9], ($12::bigint[])[at.i][10], ($12::bigint[])[at.i][11]
        FROM (SELECT width_bucket(holds.request_id, $11::uuid[]) AS i OFFSET 0) AS at)
    WHERE holds.request_id = ANY ($11::uuid[])
      AND ($11::uuid[])[width_bucket(holds.request_id, $11::uuid[])] = holds.request_id
      AND holds.revision = ($12::bigint[])[width_bucket(holds.request_id, $11::uuid[])][1]::int
      AND holds.state + 0 = 0
      AND (($12::bigint[])[width_bucket(holds.request_id, $11::uuid[])][2]::smallint <> 3 OR holds.expires_at < now())
      AND (SELECT count(*) FROM locked) >= 0
    RETURNING 1
  ),
  reached AS (
    INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents)
    SELECT s.id, p.percent, s.used, s.limit_microcents FROM sums s CROSS JOIN (VALUES (50), (80), (100)) AS p (percent)
    WHERE s.kind = 'allowance' AND s.is_enforced AND s.posted > 0 AND s.limit_microcents > 0
      AND s.used >= s.limit_microcents / 100 * p.percent
    ON CONFLICT DO NOTHING RETURNING 1
  ),
  journal AS (
    INSERT INTO transfers (cause, debit_account, credit_account, amount, kind) SELECT * FROM (SELECT ($14::uuid[])[nth.i] AS cause, ($15::bigint[])[nth.i][1] AS debit_account, ($15::bigint[])[nth.i][2] AS credit_account, ($15::bigint[])[nth.i][3] AS amount, nth.kind FROM unnest($13::text[]) WITH ORDINALITY AS nth (kind, i)) AS t
  ),
  events AS (INSERT INTO outbox (id, topic, key, type, payload, request_id, traceparent) SELECT * FROM (SELECT ($22::uuid[])[nth.i] AS id, nth.topic, nth.key, nth.type, nth.payload, nth.request_id, nth.traceparent FROM unnest($16::text[], $17::text[], $18::text[], $19::bytea[], $20::text[], $21::text[]) WITH ORDINALITY AS nth (topic, key, type, payload, request_id, traceparent, i)) AS e),
  rollups AS (
    INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
      input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
    SELECT owner, project, customer, to_timestamp(window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, key, model, requests,
      input, output, images, charged, provider, overrun, unreconciled
    FROM (SELECT ($24::uuid[])[nth.i][1] AS owner, ($24::uuid[])[nth.i][2] AS project, ($24::uuid[])[nth.i][3] AS customer, ($25::bigint[])[nth.i][1] AS window_ms, ($24::uuid[])[nth.i][4] AS key, nth.model, ($25::bigint[])[nth.i][2] AS requests, ($25::bigint[])[nth.i][3] AS input, ($25::bigint[])[nth.i][4] AS output, ($25::bigint[])[nth.i][5] AS images, ($25::bigint[])[nth.i][6] AS charged, ($25::bigint[])[nth.i][7] AS provider, ($25::bigint[])[nth.i][8] AS overrun, ($25::bigint[])[nth.i][9] AS unreconciled FROM unnest($23::text[]) WITH ORDINALITY AS nth (model, i)) AS r
    WHERE (SELECT count(*) FROM locked) >= 0
    ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
      requests = u.requests + excluded.requests, images = u.images + excluded.images,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
      customer_microcents = u.customer_microcents + excluded.customer_microcents,
      provider_microcents = u.provider_microcents + excluded.provider_microcents,
      overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
      unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents
  )
  SELECT require_all_ended((SELECT count(*) FROM ended) = coalesce(array_length($11::uuid[], 1), 0)), ok AS "ok",
    (SELECT count(*) > 0 FROM reached) AS "reached"
  FROM verdict`;

/**
 * Ends a batch of holds: holds, account sums, journal, roll-ups and events. Writes a batch of new holds if they fit, as
 * `hold_all_or_nothing` does. One commit serves both, and each account is locked and changed once; funds that the ended holds
 * free count for the new ones. Either batch may be empty.
 *
 * A hold is ended only if it is open and unchanged since the caller read it (same revision: it may have been extended or
 * superseded). A verdict also requires that the hold is past its expiry on the database's clock. If a hold cannot be ended,
 * the statement fails (SQLSTATE TG001), which undoes everything without the round trips of BEGIN and ROLLBACK.
 *
 * The batch is grouped by account before, so each row is updated once and found by its index.
 */
export async function settleAndHold(db: Queryable, input: SettleAndHoldInput): Promise<SettleAndHoldRow | undefined> {
  const { rows } = await db.query<SettleAndHoldRow>({
    name: 'settle_and_hold',
    text: SETTLE_AND_HOLD,
    values: [
      bigintArray(input.changes, [(r) => r.id, (r) => r.held, (r) => r.posted, (r) => r.needed]),
      binaryArray('uuid', input.holds.map((r) => r.customerId)),
      textArray(input.holds.map((r) => r.modelId)),
      textArray(input.holds.map((r) => r.terms)),
      textArray(input.holds.map((r) => arrayLiteral(r.accountIds))),
      textArray(input.holds.map((r) => arrayLiteral(r.amounts))),
      textArray(input.holds.map((r) => arrayLiteral(r.places))),
      textArray(input.holds.map((r) => arrayLiteral(r.taken))),
      uuidArray(input.holds, [(r) => r.requestId, (r) => r.ownerAccountId]),
      bigintArray(input.holds, [(r) => r.ttlMs]),
      uuidArray(input.ended, [(r) => r.requestId]),
      bigintArray(input.ended, [(r) => r.revision, (r) => r.state, (r) => r.inputTokens, (r) => r.outputTokens, (r) => r.images, (r) => r.toolFeeTokens, (r) => r.feeMicrocents, (r) => r.customerMicrocents, (r) => r.ownerMicrocents, (r) => r.overrunMicrocents, (r) => r.unreconciledMicrocents]),
      textArray(input.transfers.map((r) => r.kind)),
      uuidArray(input.transfers, [(r) => r.cause]),
      bigintArray(input.transfers, [(r) => r.debitAccount, (r) => r.creditAccount, (r) => r.amount]),
      textArray(input.events.map((r) => r.topic)),
      textArray(input.events.map((r) => r.key)),
      textArray(input.events.map((r) => r.type)),
      byteaArray(input.events.map((r) => r.payload)),
      textArray(input.events.map((r) => r.requestId)),
      textArray(input.events.map((r) => r.traceparent)),
      uuidArray(input.events, [(r) => r.id]),
      textArray(input.rollups.map((r) => r.model)),
      uuidArray(input.rollups, [(r) => r.owner, (r) => r.project, (r) => r.customer, (r) => r.key]),
      bigintArray(input.rollups, [(r) => r.windowMs, (r) => r.requests, (r) => r.input, (r) => r.output, (r) => r.images, (r) => r.charged, (r) => r.provider, (r) => r.overrun, (r) => r.unreconciled]),
    ],
  });
  return rows[0];
}
