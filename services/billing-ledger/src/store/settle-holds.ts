import type { OutboxEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import type { Hold } from '../domain/hold.js';
import type { Settlement } from '../domain/settle-hold.js';
import { arrayLiteral } from './sql-arrays.js';

export interface SettlementWrite {
  hold: Hold;
  settlement: Settlement;
  /** Written only if this statement really ends the hold. */
  events: readonly OutboxEvent[];
}

const NO_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Ends a batch of holds: holds, account sums, journal, roll-ups and events in one statement and one commit. Only holds
 * that are still open as the caller knows them (same number of legs: see supersede-hold.ts) and, for a verdict on
 * expiry, past their time on the database's clock are touched; everything
 * else hangs on them, so an item that lost a race changes nothing. Accounts are locked in id order first.
 */
const SETTLE = `WITH item AS (
    SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[], $5::int[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
                         $25::bigint[], $26::uuid[], $27::uuid[], $28::uuid[], $29::int[])
      AS t (request_id, state, input_tokens, output_tokens, images, customer, owner, overrun, unreconciled, window_ms, project_id, customer_id, key_id, legs)
  ), locked AS (
    SELECT a.id FROM accounts a WHERE a.id = ANY($11::bigint[]) ORDER BY a.id FOR UPDATE
  ), h AS (
    UPDATE holds SET state = i.state, settled_at = now(), input_tokens = i.input_tokens, output_tokens = i.output_tokens, images = i.images,
      customer_microcents = i.customer, owner_microcents = i.owner, overrun_microcents = i.overrun, unreconciled_microcents = i.unreconciled
    FROM item i
    WHERE holds.request_id = i.request_id AND holds.state = 0 AND cardinality(holds.account_ids) = i.legs AND (i.state <> 3 OR holds.expires_at < now())
      AND (SELECT count(*) FROM locked) >= 0
    RETURNING holds.request_id, holds.owner_account_id, holds.model_id
  ), sums AS (
    UPDATE accounts a SET held = a.held - s.held, debits = a.debits + s.posted
    FROM (SELECT l.account_id, sum(l.held)::bigint AS held, sum(l.posted)::bigint AS posted
          FROM unnest($10::uuid[], $11::bigint[], $12::bigint[], $13::bigint[]) AS l (request_id, account_id, held, posted)
          JOIN h USING (request_id) GROUP BY l.account_id) s
    WHERE a.id = s.account_id
  ), journal AS (
    INSERT INTO transfers (debit_account, credit_account, amount, kind, cause)
    SELECT t.debit, t.credit, t.amount, t.kind, t.request_id
    FROM unnest($14::uuid[], $15::bigint[], $16::bigint[], $17::bigint[], $18::text[]) AS t (request_id, debit, credit, amount, kind)
    JOIN h USING (request_id)
  ), events AS (
    INSERT INTO outbox (id, topic, key, type, payload, request_id)
    SELECT e.id, e.topic, e.key, e.type, e.payload, e.request_id
    FROM unnest($19::uuid[], $20::uuid[], $21::text[], $22::text[], $23::text[], $24::bytea[]) WITH ORDINALITY
      AS e (request_id, id, topic, key, type, payload, ord)
    JOIN h USING (request_id) ORDER BY e.ord
  ), rollups AS (
    INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
      input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
    SELECT h.owner_account_id, i.project_id, i.customer_id, to_timestamp(i.window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, i.key_id, h.model_id,
      count(*) FILTER (WHERE i.input_tokens + i.output_tokens + i.images > 0), sum(i.input_tokens), sum(i.output_tokens), sum(i.images),
      sum(i.customer), sum(i.owner), sum(i.overrun), sum(i.unreconciled)
    FROM item i JOIN h USING (request_id)
    WHERE i.input_tokens + i.output_tokens + i.images + i.unreconciled > 0
    GROUP BY h.owner_account_id, i.project_id, i.customer_id, i.window_ms, i.key_id, h.model_id
    ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
      requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, images = u.images + excluded.images,
      customer_microcents = u.customer_microcents + excluded.customer_microcents,
      provider_microcents = u.provider_microcents + excluded.provider_microcents,
      overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
      unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents
  )
  SELECT request_id FROM h`;

/** Returns the request ids whose hold this call ended. */
export async function settleHolds(db: Queryable, writes: readonly SettlementWrite[]): Promise<Set<string>> {
  const { rows } = await db.query<{ request_id: string }>({
    name: 'settle_holds',
    text: SETTLE,
    values: columnsOf(writes),
  });
  return new Set(rows.map((row) => row.request_id));
}

function columnsOf(writes: readonly SettlementWrite[]): unknown[] {
  const column = (value: (write: SettlementWrite) => bigint | number | string): string =>
    arrayLiteral(writes.map(value));
  const legs = writes.flatMap(({ hold, settlement }) =>
    hold.legs.map((leg, i) => ({ requestId: hold.requestId, leg, posted: settlement.posted[i] as bigint })),
  );
  const transfers = writes.flatMap(({ hold, settlement }) =>
    settlement.transfers.map((t) => ({ requestId: hold.requestId, t })),
  );
  const events = writes.flatMap(({ hold, events }) => events.map((e) => ({ requestId: hold.requestId, e })));
  return [
    column((w) => w.hold.requestId),
    column((w) => w.settlement.state),
    column((w) => w.settlement.used.inputTokens),
    column((w) => w.settlement.used.outputTokens),
    column((w) => w.settlement.used.images),
    column((w) => w.settlement.customerMicrocents),
    column((w) => w.settlement.ownerMicrocents),
    column((w) => w.settlement.overrunMicrocents),
    column((w) => w.settlement.unreconciledMicrocents),
    arrayLiteral(legs.map((l) => l.requestId)),
    arrayLiteral(legs.map((l) => l.leg.account)),
    arrayLiteral(legs.map((l) => l.leg.amountMicrocents)),
    arrayLiteral(legs.map((l) => l.posted)),
    arrayLiteral(transfers.map((x) => x.requestId)),
    arrayLiteral(transfers.map((x) => x.t.debit)),
    arrayLiteral(transfers.map((x) => x.t.credit)),
    arrayLiteral(transfers.map((x) => x.t.amountMicrocents)),
    arrayLiteral(transfers.map((x) => x.t.kind)),
    arrayLiteral(events.map((x) => x.requestId)),
    arrayLiteral(events.map((x) => x.e.id)),
    arrayLiteral(events.map((x) => x.e.topic)),
    arrayLiteral(events.map((x) => x.e.key)),
    arrayLiteral(events.map((x) => x.e.type)),
    events.map((x) => asBuffer(x.e.payload)),
    column((w) => w.hold.terms.windowStartMs),
    column((w) => w.hold.terms.projectId),
    column((w) => w.hold.terms.customerId ?? NO_UUID),
    column((w) => w.hold.terms.keyId ?? NO_UUID),
    column((w) => w.hold.legs.length),
  ];
}

/** The driver encodes only Buffers as bytea inside arrays. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
