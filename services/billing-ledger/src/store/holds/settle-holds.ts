import type { OutboxEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES, type Hold } from '../../domain/hold.js';
import type { Settlement, Transfer } from '../../domain/settle-hold.js';
import { reached, THRESHOLDS_SQL, USED } from '../reports/usage-thresholds.js';
import { bytea, type Columns, nextParameter, plain, text, toColumns, unnest } from '../unnest-columns.js';
import { addRollups, ROLLUPS, toRollups } from './usage-rollups.js';

export interface SettlementWrite {
  hold: Hold;
  settlement: Settlement;
  events: readonly OutboxEvent[];
}

/** The amounts that a batch takes from one account. */
interface AccountSum {
  id: bigint;
  held: bigint;
  posted: bigint;
}

const HOLDS: Columns<SettlementWrite> = {
  request_id: plain('uuid', (w) => w.hold.holdId),
  revision: plain('int', (w) => w.hold.revision),
  state: plain('smallint', (w) => w.settlement.state),
  input_tokens: plain('bigint', (w) => w.settlement.used.inputTokens),
  output_tokens: plain('bigint', (w) => w.settlement.used.outputTokens),
  images: plain('int', (w) => w.settlement.used.images),
  tool_fee_tokens: plain('bigint', (w) => w.settlement.used.toolFeeTokens ?? 0n),
  customer: plain('bigint', (w) => w.settlement.customerMicrocents),
  owner: plain('bigint', (w) => w.settlement.ownerMicrocents),
  overrun: plain('bigint', (w) => w.settlement.overrunMicrocents),
  unreconciled: plain('bigint', (w) => w.settlement.unreconciledMicrocents),
};

const ACCOUNTS: Columns<AccountSum> = {
  id: plain('bigint', (s) => s.id),
  held: plain('bigint', (s) => s.held),
  posted: plain('bigint', (s) => s.posted),
};

const TRANSFERS: Columns<Transfer & { holdId: string }> = {
  cause: plain('uuid', (t) => t.holdId),
  debit_account: plain('bigint', (t) => t.debit),
  credit_account: plain('bigint', (t) => t.credit),
  amount: plain('bigint', (t) => t.amount),
  kind: plain('text', (t) => t.kind),
};

const EVENTS: Columns<OutboxEvent> = {
  id: plain('uuid', (e) => e.id),
  topic: plain('text', (e) => e.topic),
  key: plain('text', (e) => e.key),
  type: plain('text', (e) => e.type),
  payload: bytea((e) => e.payload),
  // Chosen by a client, so it needs quoting.
  request_id: text((e) => e.requestId ?? ''),
  // A proxy may have changed it on its way.
  traceparent: plain('text', (e) => (/^[0-9a-f-]{55}$/.test(e.traceparent ?? '') ? `${e.traceparent}` : 'NULL')),
};

const HOLDS_AT = 1;
const ACCOUNTS_AT = nextParameter(HOLDS, HOLDS_AT);
const TRANSFERS_AT = nextParameter(ACCOUNTS, ACCOUNTS_AT);
const EVENTS_AT = nextParameter(TRANSFERS, TRANSFERS_AT);
const ROLLUPS_AT = nextParameter(EVENTS, EVENTS_AT);

/**
 * Enforces the lock order. PostgreSQL runs the data-modifying parts of a statement in no defined order, so a part that
 * changes rows evaluates this always true condition first: it reads all of `locked`, which locks the accounts in id order.
 */
const AFTER_LOCKS = '(SELECT count(*) FROM locked) >= 0';

/**
 * Ends a batch of holds: holds, account sums, journal, roll-ups and events in one statement and one commit. A hold is ended
 * only if it is open and unchanged since the caller read it (same revision: it may have been extended or superseded). A
 * verdict also requires that the hold is past its expiry on the database's clock.
 *
 * The batch is grouped by account before, so each row is updated once and found by its index.
 *
 * The last SELECT divides by zero if a hold could not be ended. Plain SQL has no other way to fail a statement, and the
 * failure undoes all of it without the extra round trips of BEGIN and ROLLBACK.
 */
const SETTLE = `WITH locked AS (
    SELECT a.id FROM accounts a WHERE a.id = ANY($${ACCOUNTS_AT}::bigint[]) ORDER BY a.id FOR UPDATE
  ), ended AS (
    UPDATE holds SET state = i.state, settled_at = now(), input_tokens = i.input_tokens, output_tokens = i.output_tokens, images = i.images,
      tool_fee_tokens = i.tool_fee_tokens,      customer_microcents = i.customer, owner_microcents = i.owner, overrun_microcents = i.overrun, unreconciled_microcents = i.unreconciled
    FROM ${unnest(HOLDS, 'i', HOLDS_AT)}
    WHERE holds.request_id = i.request_id AND holds.revision = i.revision
      -- fault point: settle an ended hold
      AND holds.state = ${HOLD_STATES.open}
      AND (i.state <> ${HOLD_STATES.expired} OR holds.expires_at < now()) AND ${AFTER_LOCKS}
    RETURNING 1
  ), sums AS (
    UPDATE accounts a SET held = a.held - t.held, debits = a.debits + t.posted
    FROM ${unnest(ACCOUNTS, 't', ACCOUNTS_AT)}
    WHERE a.id = t.id AND ${AFTER_LOCKS}
    RETURNING a.id, a.kind, a.is_enforced, a.limit_microcents AS cap, ${USED} AS used, t.posted
  ), reached AS (
    INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents)
    SELECT s.id, p.percent, s.used, s.cap FROM sums s CROSS JOIN ${THRESHOLDS_SQL}
    WHERE s.kind = 'allowance' AND s.is_enforced AND s.posted > 0 AND ${reached('s.cap', 's.used')}
    ON CONFLICT DO NOTHING RETURNING 1
  ), journal AS (
    INSERT INTO transfers (${Object.keys(TRANSFERS).join(', ')}) SELECT * FROM ${unnest(TRANSFERS, 't', TRANSFERS_AT)}
      -- fault point: book a transfer twice
  ), events AS (
    INSERT INTO outbox (${Object.keys(EVENTS).join(', ')}) SELECT * FROM ${unnest(EVENTS, 'e', EVENTS_AT)}
  ), rollups AS (
    ${addRollups(ROLLUPS_AT, AFTER_LOCKS)}
  )
  SELECT 1 / (SELECT (count(*) = cardinality($${HOLDS_AT}::uuid[]))::int FROM ended), (SELECT count(*) > 0 FROM reached) AS reached`;

const DIVISION_BY_ZERO = '22012';

/** Ends and commits the whole batch. Returns undefined, and writes nothing, if any of its holds cannot be ended. */
export async function settleAllOrNothing(
  db: Queryable,
  writes: readonly SettlementWrite[],
): Promise<{ hasReachedThreshold: boolean } | undefined> {
  const transfers = writes.flatMap(({ hold: { holdId }, settlement }) =>
    settlement.transfers.map((transfer) => ({ ...transfer, holdId })),
  );
  const values = [
    ...toColumns(HOLDS, writes),
    ...toColumns(ACCOUNTS, sumByAccount(writes)),
    ...toColumns(TRANSFERS, transfers),
    ...toColumns(
      EVENTS,
      writes.flatMap((write) => write.events),
    ),
    ...toColumns(ROLLUPS, toRollups(writes)),
  ];
  try {
    const { rows } = await db.query<{ reached: boolean }>({ name: 'settle_all_or_nothing', text: SETTLE, values });
    return { hasReachedThreshold: rows[0]?.reached === true };
  } catch (error) {
    if ((error as { code?: string }).code === DIVISION_BY_ZERO) return undefined;
    throw error;
  }
}

function sumByAccount(writes: readonly SettlementWrite[]): AccountSum[] {
  const sums = new Map<bigint, AccountSum>();
  for (const { hold, settlement } of writes) {
    hold.legs.forEach(({ account, amount }, i) => {
      const sum = sums.get(account);
      const posted = settlement.posted[i] as bigint;
      if (sum) {
        sum.held += amount;
        sum.posted += posted;
      } else sums.set(account, { id: account, held: amount, posted });
    });
  }
  return [...sums.values()];
}
