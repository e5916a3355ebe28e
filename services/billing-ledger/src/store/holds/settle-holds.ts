import type { OutboxEvent } from '@tollgate/events';
import { hasCode, type Queryable, UNIQUE_VIOLATION } from '@tollgate/postgres';
import { bytea, defineColumns, number, text, uuid } from '@tollgate/postgres/columns';
import { HOLD_STATES, type Hold } from '../../domain/hold.js';
import type { Settlement, Transfer } from '../../domain/settle-hold.js';
import type { Connection } from '../database.js';
import { reached, THRESHOLDS_SQL, USED } from '../reports/usage-thresholds.js';
import { inTransaction } from '../writer-transaction.js';
import { insertHolds } from './open-holds.js';
import { addRollups, ROLLUPS, toRollups } from './usage-rollups.js';

export interface SettlementWrite {
  hold: Hold;
  settlement: Settlement;
  events: readonly OutboxEvent[];
}

/** The amounts that a batch takes from one account. */
export interface AccountSum {
  id: bigint;
  held: bigint;
  posted: bigint;
}

const HOLDS = defineColumns<SettlementWrite>({
  request_id: uuid((w) => w.hold.holdId),
  revision: number('int', (w) => w.hold.revision),
  state: number('smallint', (w) => w.settlement.state),
  input_tokens: number('bigint', (w) => w.settlement.used.inputTokens),
  output_tokens: number('bigint', (w) => w.settlement.used.outputTokens),
  images: number('int', (w) => w.settlement.used.images),
  tool_fee_tokens: number('bigint', (w) => w.settlement.used.toolFeeTokens ?? 0n),
  fee_microcents: number('bigint', (w) => w.settlement.used.feeMicrocents ?? 0n),
  customer_microcents: number('bigint', (w) => w.settlement.customerMicrocents),
  owner_microcents: number('bigint', (w) => w.settlement.ownerMicrocents),
  overrun_microcents: number('bigint', (w) => w.settlement.overrunMicrocents),
  unreconciled_microcents: number('bigint', (w) => w.settlement.unreconciledMicrocents),
});

/** The columns of {@link HOLDS} that a settlement sets. */
const ENDED = [
  'state',
  'input_tokens',
  'output_tokens',
  'images',
  'tool_fee_tokens',
  'fee_microcents',
  'customer_microcents',
  'owner_microcents',
  'overrun_microcents',
  'unreconciled_microcents',
];

const ACCOUNTS = defineColumns<AccountSum>({
  id: number('bigint', (s) => s.id),
  held: number('bigint', (s) => s.held),
  posted: number('bigint', (s) => s.posted),
});

interface HoldTransfer extends Transfer {
  holdId: string;
}

const TRANSFERS = defineColumns<HoldTransfer>({
  cause: uuid((t) => t.holdId),
  debit_account: number('bigint', (t) => t.debit),
  credit_account: number('bigint', (t) => t.credit),
  amount: number('bigint', (t) => t.amount),
  kind: text((t) => t.kind),
});

const EVENTS = defineColumns<OutboxEvent>({
  id: uuid((e) => e.id),
  topic: text((e) => e.topic),
  key: text((e) => e.key),
  type: text((e) => e.type),
  payload: bytea((e) => e.payload),
  request_id: text((e) => e.requestId ?? ''),
  // A proxy may have changed it on its way.
  traceparent: text((e) => (/^[0-9a-f-]{55}$/.test(e.traceparent ?? '') ? e.traceparent : undefined)),
});

/**
 * Enforces the lock order. PostgreSQL runs the data-modifying parts of a statement in no defined order, so a part that
 * changes rows evaluates this always true condition first: it reads all of `locked`, which locks the accounts in id order.
 */
const AFTER_LOCKS = '(SELECT count(*) FROM locked) >= 0';

/**
 * Returns the parts of a statement that end a batch of holds, with their parameters numbered from `first`. They follow the
 * parts `locked`, which locks the accounts in id order, and `sums`, which changes them and returns `SUMS`.
 *
 * The plan is made once, often while there are no holds. It would then read all open holds for each batch, and still do so
 * when there are many: a join leaves the planner this choice, as does the bare condition on the state, but `ANY` does not.
 */
export function endHolds(first: number): string {
  const transfersAt = first + HOLDS.parameterCount;
  const eventsAt = transfersAt + TRANSFERS.parameterCount;
  const position = `width_bucket(holds.request_id, $${first}::uuid[])`; // binary search; HOLDS are encoded in order
  return `ended AS (
    UPDATE holds SET settled_at = now(), (${ENDED.join(', ')}) =
      (SELECT ${ENDED.map((name) => HOLDS.pick(name, 'nth.i', first)).join(', ')} FROM (SELECT ${position} AS i OFFSET 0) AS nth)
    WHERE holds.request_id = ANY($${first}::uuid[]) AND ($${first}::uuid[])[${position}] = holds.request_id
      AND holds.revision = ${HOLDS.pick('revision', position, first)}
      -- fault point: settle an ended hold
      AND holds.state + 0 = ${HOLD_STATES.open}
      AND (${HOLDS.pick('state', position, first)} <> ${HOLD_STATES.expired} OR holds.expires_at < now()) AND ${AFTER_LOCKS}
    RETURNING 1
  ), reached AS (
    INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents)
    SELECT s.id, p.percent, s.used, s.cap FROM sums s CROSS JOIN ${THRESHOLDS_SQL}
    WHERE s.kind = 'allowance' AND s.is_enforced AND s.posted > 0 AND ${reached('s.cap', 's.used')}
    ON CONFLICT DO NOTHING RETURNING 1
  ), journal AS (
    INSERT INTO transfers (${TRANSFERS.list}) SELECT * FROM ${TRANSFERS.unnest('t', transfersAt)}
      -- fault point: book a transfer twice
  ), events AS (
    INSERT INTO outbox (${EVENTS.list}) SELECT * FROM ${EVENTS.unnest('e', eventsAt)}
  ), rollups AS (
    ${addRollups(eventsAt + EVENTS.parameterCount, AFTER_LOCKS)}
  )`;
}

/** Columns that the part `sums` returns of an account `a` and its sums `t`. */
export const SUMS = `a.id, a.kind, a.is_enforced, a.limit_microcents AS cap, ${USED} AS used, t.posted`;

/**
 * Returns the last column of a statement with {@link endHolds}. It divides by zero if a hold could not be ended: plain SQL
 * has no other way to fail a statement, and its failure undoes everything without the round trips of BEGIN and ROLLBACK.
 */
export function endedAll(first: number): string {
  return `1 / (SELECT (count(*) = array_length($${first}::uuid[], 1))::int FROM ended), (SELECT count(*) > 0 FROM reached) AS reached`;
}

const DIVISION_BY_ZERO = '22012';

/** Returns true if {@link endedAll} failed a statement. */
export function isNotEnded(error: unknown): boolean {
  return (error as { code?: string }).code === DIVISION_BY_ZERO;
}

const HOLDS_AT = 1 + ACCOUNTS.parameterCount;

/**
 * Ends a batch of holds: holds, account sums, journal, roll-ups and events in one statement and one commit. A hold is ended
 * only if it is open and unchanged since the caller read it (same revision: it may have been extended or superseded). A
 * verdict also requires that the hold is past its expiry on the database's clock.
 *
 * The batch is grouped by account before, so each row is updated once and found by its index.
 */
const SETTLE = `WITH locked AS (
    SELECT a.id, t.held, t.posted FROM ${ACCOUNTS.unnest('t')} JOIN accounts a ON a.id = t.id ORDER BY a.id FOR UPDATE OF a
  ), sums AS (
    UPDATE accounts a SET held = a.held - t.held, debits = a.debits + t.posted FROM locked t WHERE a.id = t.id
    RETURNING ${SUMS}
  ), ${endHolds(HOLDS_AT)}
  SELECT ${endedAll(HOLDS_AT)}`;

/** Ends and commits the whole batch. Returns undefined, and writes nothing, if any of its holds cannot be ended. */
export async function settleAllOrNothing(
  db: Queryable,
  writes: readonly SettlementWrite[],
): Promise<{ hasReachedThreshold: boolean } | undefined> {
  const values = [...ACCOUNTS.encode(sumByAccount(writes)), ...encodeSettlements(writes)];
  try {
    const { rows } = await db.query<{ reached: boolean }>({ name: 'settle_all_or_nothing', text: SETTLE, values });
    return { hasReachedThreshold: rows[0]?.reached === true };
  } catch (error) {
    if (isNotEnded(error)) return undefined;
    throw error;
  }
}

/** Inserts and ends a hold that the database has lost. Returns false, and writes nothing, if the hold exists. */
export async function bookLostHold(client: Connection, write: SettlementWrite): Promise<boolean> {
  try {
    return await inTransaction(client, async (tx) => {
      await insertHolds(tx, [{ hold: write.hold, ttlMs: 0, freeBefore: [] }]);
      return (await settleAllOrNothing(tx, [write])) !== undefined;
    });
  } catch (error) {
    if (hasCode(error, UNIQUE_VIOLATION)) return false;
    throw error;
  }
}

/** Returns the parameters of {@link endHolds}. */
export function encodeSettlements(writes: readonly SettlementWrite[]): Buffer[] {
  return [
    ...HOLDS.encode([...writes].sort(byHoldId)),
    ...TRANSFERS.encode(writes.flatMap(toTransfers)),
    ...EVENTS.encode(writes.flatMap((write) => write.events)),
    ...ROLLUPS.encode(toRollups(writes)),
  ];
}

/** The order of PostgreSQL's type `uuid`, for ids in lower case. */
function byHoldId({ hold: a }: SettlementWrite, { hold: b }: SettlementWrite): number {
  return a.holdId < b.holdId ? -1 : 1;
}

function toTransfers({ hold: { holdId }, settlement }: SettlementWrite): HoldTransfer[] {
  return settlement.transfers.map(({ debit, credit, amount, kind }) => ({ holdId, debit, credit, amount, kind }));
}

/** Sums what settlements take from each account. */
export function sumByAccount(writes: readonly SettlementWrite[]): AccountSum[] {
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
