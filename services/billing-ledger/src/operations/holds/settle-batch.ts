import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { HOLD_STATES, type Hold, holdFromRow } from '../../domain/hold.js';
import { expireHold, isNothing, settleHold, settleLost } from '../../domain/settle-hold.js';
import type { Connection } from '../../store/database.js';
import { findHolds, type HoldRow, insertTombstone } from '../../store/holds/open-holds.js';
import {
  bookLostHold,
  type SettlementWrite,
  settleAllOrNothing,
  settleAndHold,
} from '../../store/holds/settle-and-hold.js';
import { type AdmitItem, type AdmitResult, toAdmitted, toWantedHold } from './admit-batch.js';
import {
  isForeign,
  type SettleItem,
  type SettleResult,
  settledUse,
  settlementEvents,
  toBooked,
  toDuplicate,
} from './settle-item.js';
import { settleLate } from './settle-late.js';

/** An attempt fails if another replica changes the hold between its read and its write. */
const ATTEMPTS_MAX = 20;

const UNKNOWN: SettleResult = {
  outcome: SettleOutcome.UNKNOWN_REQUEST,
  customerMicrocents: 0n,
  ownerMicrocents: 0n,
  overrunMicrocents: 0n,
  hasReachedThreshold: false,
};

/** Settles a batch in one statement if every hold is known and open, which is the common case. Settles one by one otherwise. */
export async function settleTogether(client: Connection, items: SettleItem[]): Promise<SettleResult[]> {
  const writes = await prepareSettlements(client, items);
  const done = writes && (await settleAllOrNothing(client, writes));
  return done ? toSettleResults(writes, done) : settleOneByOne(client, items);
}

/** Returns the settlements of a batch; undefined if a hold is not known, not the caller's, or settled twice. */
export async function prepareSettlements(client: Connection, items: SettleItem[]): Promise<ItemWrite[] | undefined> {
  await readMissingHolds(client, items);
  const writes: ItemWrite[] = [];
  for (const item of items) {
    const { hold } = item;
    if (!hold || isForeign(item, hold.ownerAccountId)) return undefined;
    writes.push(toWrite(item, hold));
  }
  return new Set(items.map((item) => item.holdId)).size === items.length ? writes : undefined;
}

/** Returns the results of a batch that is written. */
export function toSettleResults(
  writes: readonly ItemWrite[],
  { hasReachedThreshold }: { hasReachedThreshold: boolean },
): SettleResult[] {
  return writes.map((write) => toResult(write, hasReachedThreshold));
}

/** Settles items separately. Safe to repeat: an ended hold returns its first result. */
export async function settleOneByOne(client: Connection, items: SettleItem[]): Promise<SettleResult[]> {
  const results: SettleResult[] = [];
  for (const item of items) results.push(await settleOne(client, item));
  return results;
}

/** Ends holds whose reports cannot be written: charges nothing and records the held cost as unreconciled. */
export async function settleInDoubt(client: Connection, items: SettleItem[]): Promise<SettleResult[]> {
  const noReport = { used: { inputTokens: 0n, outputTokens: 0n, images: 0n }, usage: undefined, facts: undefined };
  const doubtful = items.map((item) => ({ ...item, ...noReport, isInDoubt: true }));
  const results = await settleOneByOne(client, doubtful);
  return results.map((result) => ({ ...result, wasReplaced: true }));
}

async function settleOne(client: Connection, item: SettleItem): Promise<SettleResult> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [row] = await findHolds(client, [item.holdId]);
    if (!row) {
      const result = await settleUnseen(client, item);
      if (result) return result;
      continue;
    }
    if (isForeign(item, row.owner_account_id)) return UNKNOWN;
    // fault point: settle an ended hold
    if (row.state !== HOLD_STATES.open) return settleEnded(client, item, row);
    const write = toWrite(item, holdFromRow(row));
    const done = await settleAllOrNothing(client, [write]);
    if (done) return toResult(write, done.hasReachedThreshold);
    // Another replica changed or ended the hold after it was read, or the hold has not expired on the database's clock.
    if (item.kind === 'expire') return toDuplicate(row);
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'the hold changed during every attempt to settle it');
}

async function settleEnded(client: Connection, item: SettleItem, row: HoldRow): Promise<SettleResult> {
  // The verdict has already recorded the rest of the hold, so a report in doubt adds only calls that were never answered.
  const isLateReport = item.kind !== 'expire' && (!item.isInDoubt || (item.unansweredCalls ?? 0) > 0);
  return row.state === HOLD_STATES.expired && isLateReport ? settleLate(client, item) : toDuplicate(row);
}

/**
 * Settles an unknown hold: a release that arrives before its admission leaves a tombstone. A hold with usage was admitted, so
 * the database has lost it, as an asynchronous replica does that becomes the primary; its usage is booked as unreconciled.
 * Returns undefined if the hold has come to exist in the meantime.
 */
async function settleUnseen(client: Connection, item: SettleItem): Promise<SettleResult | undefined> {
  const { holdId, owner, used, isInDoubt, unansweredCalls = 0 } = item;
  if (isInDoubt || unansweredCalls > 0 || !isNothing(used)) {
    const lost = toLostHold(item);
    return lost ? settleLostHold(client, item, lost) : UNKNOWN;
  }
  if (!owner) return UNKNOWN;
  const isInserted = await insertTombstone(client, holdId, owner);
  return isInserted ? { ...UNKNOWN, outcome: SettleOutcome.RELEASED } : undefined;
}

/** Returns the hold as it was admitted, but without legs: on this database no account holds anything for it. */
function toLostHold({ hold, holdId, owner, termsIfLost }: SettleItem): Hold | undefined {
  if (hold) return { ...hold, legs: [] };
  const terms = termsIfLost?.();
  if (!owner || !terms) return undefined;
  return { holdId, ownerAccountId: owner.accountId, revision: 0, terms, legs: [] };
}

async function settleLostHold(client: Connection, item: SettleItem, hold: Hold): Promise<SettleResult | undefined> {
  const { used, usage, wasReplaced } = settledUse(item, hold);
  const settlement = settleLost(hold.terms, used, item);
  const { facts, traceparent, storesCompletion = false } = item;
  const events = settlementEvents(hold, settlement, { usage, facts, traceparent }, storesCompletion);
  const isBooked = await bookLostHold(client, { hold, settlement, events });
  return isBooked ? { ...UNKNOWN, wasReplaced, booked: toBooked(hold, settlement) } : undefined;
}

async function readMissingHolds(client: Connection, items: SettleItem[]): Promise<void> {
  const missing = items.filter((item) => !item.hold);
  if (missing.length === 0) return;
  const rows = await findHolds(
    client,
    missing.map((item) => item.holdId),
  );
  const byId = new Map(rows.map((row) => [row.request_id, row]));
  for (const item of missing) {
    const row = byId.get(item.holdId);
    if (row) item.hold = holdFromRow(row);
  }
}

function toWrite(item: SettleItem, hold: Hold): ItemWrite {
  const { used, usage, wasReplaced } = settledUse(item, hold);
  const settlement = item.kind === 'expire' ? expireHold(hold, used) : settleHold(hold, used, item);
  const { facts, traceparent, storesCompletion = false } = item;
  const events = settlementEvents(hold, settlement, { usage, facts, traceparent }, storesCompletion);
  return { hold, settlement, events, wasReplaced };
}

export interface ItemWrite extends SettlementWrite {
  wasReplaced: boolean;
}

function toResult({ hold, settlement, wasReplaced }: ItemWrite, hasReachedThreshold: boolean): SettleResult {
  return {
    outcome: settlement.state === HOLD_STATES.released ? SettleOutcome.RELEASED : SettleOutcome.POSTED,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
    hasReachedThreshold,
    wasReplaced,
    booked: toBooked(hold, settlement),
  };
}

/**
 * Writes settlements and admissions of the same moment in one statement. Returns undefined for a part of which nothing is
 * written: both if a settlement is not simple, the admissions if they do not all fit. The holds of the batches must differ.
 */
export async function settleAndAdmit(
  client: Connection,
  settles: SettleItem[],
  admits: AdmitItem[],
): Promise<[SettleResult[] | undefined, AdmitResult[] | undefined]> {
  const writes = await prepareSettlements(client, settles);
  const holds = admits.map(toWantedHold);
  const done = writes && (await settleAndHold(client, writes, holds));
  if (!done) return [undefined, undefined];
  return [toSettleResults(writes, done), done.areHeld ? toAdmitted(holds) : undefined];
}
