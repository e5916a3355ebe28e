import type { OutboxEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import type { Hold } from '../../domain/hold.js';
import type { Settlement } from '../../domain/settle-hold.js';
import { reached, THRESHOLDS_SQL, USED } from '../reports/usage-thresholds.js';
import { arrayLiteral, textArrayLiteral } from '../sql-arrays.js';
import { rollupsOf } from './usage-rollups.js';

export interface SettlementWrite {
  hold: Hold;
  settlement: Settlement;
  events: readonly OutboxEvent[];
}

/** The statement divides by zero when not every hold of the batch could be ended: that undoes all of it. */
const DIVISION_BY_ZERO = '22012';

/**
 * Ends a batch of holds: holds, account sums, journal, roll-ups and events in one statement and one commit. A hold is
 * ended only while it is open as the caller knows it (same revision: it may have been extended or superseded) and, for a
 * verdict on expiry, past its time on the database's clock. Nothing is joined but the two indexes, because everything is grouped
 * before; accounts are locked in id order first.
 */
const SETTLE = `WITH locked AS (
    SELECT a.id FROM accounts a WHERE a.id = ANY($11::bigint[]) ORDER BY a.id FOR UPDATE
  ), ended AS (
    UPDATE holds SET state = i.state, settled_at = now(), input_tokens = i.input_tokens, output_tokens = i.output_tokens, images = i.images,
      customer_microcents = i.customer, owner_microcents = i.owner, overrun_microcents = i.overrun, unreconciled_microcents = i.unreconciled
    FROM unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[], $5::int[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::int[])
      AS i (request_id, state, input_tokens, output_tokens, images, customer, owner, overrun, unreconciled, revision)
    WHERE holds.request_id = i.request_id AND holds.state = 0 AND holds.revision = i.revision
      AND (i.state <> 3 OR holds.expires_at < now()) AND (SELECT count(*) FROM locked) >= 0
    RETURNING 1
  ), sums AS (
    UPDATE accounts a SET held = a.held - t.held, debits = a.debits + t.posted
    FROM unnest($11::bigint[], $12::bigint[], $13::bigint[]) AS t (id, held, posted)
    WHERE a.id = t.id AND (SELECT count(*) FROM locked) >= 0
    RETURNING a.id, a.kind, a.is_enforced, a.limit_microcents AS cap, ${USED} AS used, t.posted
  ), reached AS (
    INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents)
    SELECT s.id, p.percent, s.used, s.cap FROM sums s CROSS JOIN ${THRESHOLDS_SQL}
    WHERE s.kind = 'allowance' AND s.is_enforced AND s.posted > 0 AND ${reached('s.cap', 's.used')}
    ON CONFLICT DO NOTHING RETURNING 1
  ), journal AS (
    INSERT INTO transfers (cause, debit_account, credit_account, amount, kind)
    SELECT * FROM unnest($14::uuid[], $15::bigint[], $16::bigint[], $17::bigint[], $18::text[])
  ), events AS (
    INSERT INTO outbox (id, topic, key, type, payload, request_id)
    SELECT * FROM unnest($19::uuid[], $20::text[], $21::text[], $22::text[], $23::bytea[], $24::text[])
  ), rollups AS (
    INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
      input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
    SELECT owner, project, customer, to_timestamp(window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, key, model, requests,
      input, output, images, charged, provider, overrun, unreconciled
    FROM unnest($25::uuid[], $26::uuid[], $27::uuid[], $28::bigint[], $29::uuid[], $30::text[], $31::bigint[], $32::bigint[], $33::bigint[],
                $34::bigint[], $35::bigint[], $36::bigint[], $37::bigint[], $38::bigint[])
      AS t (owner, project, customer, window_ms, key, model, requests, input, output, images, charged, provider, overrun, unreconciled)
    WHERE (SELECT count(*) FROM locked) >= 0
    ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
      requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, images = u.images + excluded.images,
      customer_microcents = u.customer_microcents + excluded.customer_microcents,
      provider_microcents = u.provider_microcents + excluded.provider_microcents,
      overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
      unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents
  )
  SELECT 1 / (SELECT (count(*) = cardinality($1::uuid[]))::int FROM ended), (SELECT count(*) > 0 FROM reached) AS reached`;

/** All have ended and are committed. Undefined: at least one could not be ended; nothing was written. */
export async function settleAllOrNothing(
  db: Queryable,
  writes: readonly SettlementWrite[],
): Promise<{ hasReachedThreshold: boolean } | undefined> {
  try {
    const { rows } = await db.query<{ reached: boolean }>({
      name: 'settle_all_or_nothing',
      text: SETTLE,
      values: columnsOf(writes),
    });
    return { hasReachedThreshold: rows[0]?.reached === true };
  } catch (error) {
    if ((error as { code?: string }).code === DIVISION_BY_ZERO) return undefined;
    throw error;
  }
}

function columnsOf(writes: readonly SettlementWrite[]): unknown[] {
  const column = (value: (write: SettlementWrite) => bigint | number | string): string =>
    arrayLiteral(writes.map(value));
  const sums = sumsOf(writes);
  const causes: string[] = [];
  const transfers = writes.flatMap(({ hold, settlement }) => {
    for (const _ of settlement.transfers) causes.push(hold.holdId);
    return settlement.transfers;
  });
  const events = writes.flatMap((write) => write.events);
  const rollups = rollupsOf(writes);
  return [
    column((w) => w.hold.holdId),
    column((w) => w.settlement.state),
    column((w) => w.settlement.used.inputTokens),
    column((w) => w.settlement.used.outputTokens),
    column((w) => w.settlement.used.images),
    column((w) => w.settlement.customerMicrocents),
    column((w) => w.settlement.ownerMicrocents),
    column((w) => w.settlement.overrunMicrocents),
    column((w) => w.settlement.unreconciledMicrocents),
    column((w) => w.hold.revision),
    arrayLiteral(sums.keys()),
    arrayLiteral([...sums.values()].map((s) => s.held)),
    arrayLiteral([...sums.values()].map((s) => s.posted)),
    arrayLiteral(causes),
    arrayLiteral(transfers.map((t) => t.debit)),
    arrayLiteral(transfers.map((t) => t.credit)),
    arrayLiteral(transfers.map((t) => t.amount)),
    arrayLiteral(transfers.map((t) => t.kind)),
    arrayLiteral(events.map((e) => e.id)),
    arrayLiteral(events.map((e) => e.topic)),
    arrayLiteral(events.map((e) => e.key)),
    arrayLiteral(events.map((e) => e.type)),
    byteaArrayLiteral(events.map((e) => e.payload)),
    textArrayLiteral(events.map((e) => e.requestId ?? '')), // named by a client
    ...rollups,
  ];
}

function sumsOf(writes: readonly SettlementWrite[]): Map<bigint, { held: bigint; posted: bigint }> {
  const sums = new Map<bigint, { held: bigint; posted: bigint }>();
  for (const { hold, settlement } of writes) {
    hold.legs.forEach((leg, i) => {
      const sum = sums.get(leg.account);
      const posted = settlement.posted[i] as bigint;
      if (sum) {
        sum.held += leg.amount;
        sum.posted += posted;
      } else sums.set(leg.account, { held: leg.amount, posted });
    });
  }
  return sums;
}

/** Bytes as a PostgreSQL array literal in hex form. */
function byteaArrayLiteral(values: readonly Uint8Array[]): string {
  return `{${values.map((bytes) => `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}"`).join(',')}}`;
}
