import type { OutboxEvent } from '@tollgate/events';
import { hasCode, type Queryable, UNIQUE_VIOLATION } from '@tollgate/postgres';
import type { Hold } from '../../domain/hold.js';
import { countedInputTokens } from '../../domain/price.js';
import { isNothing, type Settlement } from '../../domain/settle-hold.js';
import { type Connection, inTransaction } from '../database.js';
import {
  settleAndHold as runSettleAndHold,
  type SettleAndHoldChangesRow,
  type SettleAndHoldEndedRow,
  type SettleAndHoldEventsRow,
  type SettleAndHoldTransfersRow,
} from '../gen/holds/settle-and-hold.js';
import { type AddRollupsRollupsRow, addRollups } from '../gen/holds/usage-rollups.js';
import { insertHolds, type NewHold, sumNeeds, toPlacedRows } from './open-holds.js';

export interface SettlementWrite {
  hold: Hold;
  settlement: Settlement;
  events: readonly OutboxEvent[];
}

/** Raised by `require_all_ended`. */
const NOT_ALL_ENDED = 'TG001';

export interface SettledAndHeld {
  hasReachedThreshold: boolean;
  /** False: the new holds do not all fit and none is written. */
  areHeld: boolean;
}

/**
 * Commits all settlements, and all new holds if they fit. Returns undefined, and writes nothing, if a hold cannot be ended
 * or a new one is already written.
 */
export async function settleAndHold(
  db: Queryable,
  writes: readonly SettlementWrite[],
  holds: readonly NewHold[],
): Promise<SettledAndHeld | undefined> {
  const changes = toChanges(writes, holds);
  try {
    const row = await runSettleAndHold(db, {
      changes,
      holds: toPlacedRows(holds, changes),
      ended: writes.map(toEnded).sort(byId),
      transfers: writes.flatMap(toTransfers),
      events: writes.flatMap((write) => write.events).map(toEvent),
      rollups: toRollups(writes),
    });
    return { hasReachedThreshold: row?.reached === true, areHeld: row?.ok === true };
  } catch (error) {
    // A repeated admission conflicts with its hold.
    const isRepeated = holds.length > 0 && hasCode(error, UNIQUE_VIOLATION);
    if (isRepeated || hasCode(error, NOT_ALL_ENDED)) return undefined;
    throw error;
  }
}

/** Ends and commits the whole batch. Returns undefined, and writes nothing, if any of its holds cannot be ended. */
export async function settleAllOrNothing(
  db: Queryable,
  writes: readonly SettlementWrite[],
): Promise<{ hasReachedThreshold: boolean } | undefined> {
  return settleAndHold(db, writes, []);
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

/** What settlements take from each account, and what new holds need of it afterwards. */
function toChanges(writes: readonly SettlementWrite[], holds: readonly NewHold[]): AccountChange[] {
  const changes = sumByAccount(writes);
  for (const { id, needed } of sumNeeds(holds)) {
    const change = changes.get(id);
    if (change) change.needed = needed;
    else changes.set(id, { id, held: 0n, posted: 0n, needed });
  }
  return [...changes.values()];
}

/** The amounts that a batch takes from one account and needs of it. */
interface AccountChange extends SettleAndHoldChangesRow {
  id: bigint;
  held: bigint;
  posted: bigint;
  needed: bigint;
}

function sumByAccount(writes: readonly SettlementWrite[]): Map<bigint, AccountChange> {
  const sums = new Map<bigint, AccountChange>();
  for (const { hold, settlement } of writes) {
    hold.legs.forEach(({ account, amount }, i) => {
      const sum = sums.get(account);
      const posted = settlement.posted[i] as bigint;
      if (sum) {
        sum.held += amount;
        sum.posted += posted;
      } else sums.set(account, { id: account, held: amount, posted, needed: 0n });
    });
  }
  return sums;
}

function toEnded({ hold, settlement }: SettlementWrite): SettleAndHoldEndedRow {
  const { used } = settlement;
  return {
    requestId: hold.holdId,
    revision: hold.revision,
    state: settlement.state,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    images: Number(used.images),
    toolFeeTokens: used.toolFeeTokens ?? 0n,
    feeMicrocents: used.feeMicrocents ?? 0n,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
    unreconciledMicrocents: settlement.unreconciledMicrocents,
  };
}

/** The order of PostgreSQL's type `uuid`, for ids in lower case. */
function byId(a: SettleAndHoldEndedRow, b: SettleAndHoldEndedRow): number {
  return a.requestId < b.requestId ? -1 : 1;
}

function toTransfers({ hold: { holdId }, settlement }: SettlementWrite): SettleAndHoldTransfersRow[] {
  return settlement.transfers.map(({ debit, credit, amount, kind }) => ({
    cause: holdId,
    debitAccount: debit,
    creditAccount: credit,
    amount,
    kind,
  }));
}

function toEvent(event: OutboxEvent): SettleAndHoldEventsRow {
  const { id, topic, key, type, payload, requestId = '', traceparent = '' } = event;
  // A proxy may have changed the trace context on its way.
  const isTraced = /^[0-9a-f-]{55}$/.test(traceparent);
  return { id, topic, key, type, payload, requestId, traceparent: isTraced ? traceparent : undefined };
}

/** Stands for "no customer" and "no key" in the roll-ups' unique index. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

const SUMS = ['requests', 'input', 'output', 'images', 'charged', 'provider', 'overrun', 'unreconciled'] as const;

/** Usage to add to the roll-ups of the current day (UTC). */
type Rollup = Omit<AddRollupsRollupsRow, (typeof SUMS)[number]> & Record<(typeof SUMS)[number], bigint>;

/** Adds a correction to the roll-up of the day on which it is made. */
export async function addToRollup(tx: Queryable, hold: Hold, delta: Settlement, requests: bigint): Promise<void> {
  await addRollups(tx, { rollups: [{ ...toRollup(hold, delta), requests }] });
}

/** Groups the usage of a batch by account, window, key and model, in a fixed order so that batches cannot deadlock. */
export function toRollups(writes: readonly { hold: Hold; settlement: Settlement }[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const { hold, settlement } of writes) {
    const rollup = toRollup(hold, settlement);
    if (SUMS.every((sum) => rollup[sum] === 0n)) continue;
    const { owner, project, customer, windowMs, key, model } = rollup;
    const id = `${owner}/${project}/${customer}/${windowMs}/${key}/${model}`;
    const known = rollups.get(id);
    if (known) for (const sum of SUMS) known[sum] += rollup[sum];
    else rollups.set(id, rollup);
  }
  return [...rollups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rollup]) => rollup);
}

function toRollup({ ownerAccountId, terms }: Hold, settlement: Settlement): Rollup {
  const { used } = settlement;
  return {
    owner: ownerAccountId,
    project: terms.projectId,
    customer: terms.customerId ?? NO_UUID,
    windowMs: terms.windowStartMs,
    key: terms.keyId ?? NO_UUID,
    model: terms.modelId,
    requests: isNothing(used) ? 0n : 1n,
    input: countedInputTokens(used),
    output: used.outputTokens,
    images: used.images,
    charged: settlement.customerMicrocents,
    provider: settlement.ownerMicrocents,
    overrun: settlement.overrunMicrocents,
    unreconciled: settlement.unreconciledMicrocents,
  };
}
