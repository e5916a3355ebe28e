import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import type pg from 'pg';
import { HOLD_STATES, type Hold, holdFromRow } from '../../domain/hold.js';
import { expireHold, isNothing, settleHold } from '../../domain/settle-hold.js';
import { findHolds, type HoldRow, insertTombstone } from '../../store/holds/open-holds.js';
import { type SettlementWrite, settleAllOrNothing } from '../../store/holds/settle-holds.js';
import { duplicateOf, type SettleItem, type SettleResult, settledUse } from './settle-item.js';
import { settleLate } from './settle-late.js';
import { settlementEvents } from './settlement-events.js';

/** Each attempt but the last met a hold that another replica changed in between. */
const ATTEMPTS_MAX = 20;

const UNKNOWN: SettleResult = {
  outcome: SettleOutcome.UNKNOWN_REQUEST,
  customerMicrocents: 0n,
  ownerMicrocents: 0n,
  overrunMicrocents: 0n,
  hasReachedThreshold: false,
};

/** The common case: every hold is open and known, one statement. Anything else goes one by one. */
export async function settleTogether(client: pg.Client, items: SettleItem[]): Promise<SettleResult[]> {
  await readMissingHolds(client, items);
  const writes = items.flatMap((item) => (item.hold ? [writeFor(item, item.hold)] : []));
  const isSimple = writes.length === items.length && new Set(items.map((item) => item.holdId)).size === items.length;
  const done = isSimple ? await settleAllOrNothing(client, writes) : undefined;
  if (done) return writes.map((write) => resultOf(write, done.hasReachedThreshold));
  return settleOneByOne(client, items);
}

/** Safe to repeat: what has ended answers as it ended. */
export async function settleOneByOne(client: pg.Client, items: SettleItem[]): Promise<SettleResult[]> {
  const results: SettleResult[] = [];
  for (const item of items) results.push(await settleOne(client, item));
  return results;
}

/** Ends holds whose reports cannot be written: charges nobody and records all that was held for as unreconciled. */
export async function settleInDoubt(client: pg.Client, items: SettleItem[]): Promise<SettleResult[]> {
  const unheard = { used: { inputTokens: 0n, outputTokens: 0n, images: 0n }, usage: undefined, facts: undefined };
  const doubtful = items.map((item) => ({ ...item, ...unheard, isInDoubt: true }));
  const results = await settleOneByOne(client, doubtful);
  return results.map((result) => ({ ...result, wasReplaced: true }));
}

async function settleOne(client: pg.Client, item: SettleItem): Promise<SettleResult> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [row] = await findHolds(client, [item.holdId]);
    if (!row) {
      const result = await settleUnseen(client, item);
      if (result) return result;
      continue;
    }
    if (row.state !== HOLD_STATES.open) return settleEnded(client, item, row);
    const write = writeFor(item, holdFromRow(row));
    const done = await settleAllOrNothing(client, [write]);
    if (done) return resultOf(write, done.hasReachedThreshold);
    // The hold was changed or ended by another replica after it was read, or the verdict came before its time.
    if (item.kind === 'expire') return duplicateOf(row);
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'the hold changed during every attempt to settle it');
}

async function settleEnded(client: pg.Client, item: SettleItem, row: HoldRow): Promise<SettleResult> {
  // The verdict on expiry has recorded the doubt; a report in doubt has nothing to add.
  const isNews = item.kind === 'report' && !item.isInDoubt;
  return row.state === HOLD_STATES.expired && isNews ? settleLate(client, item) : duplicateOf(row);
}

/**
 * A release that overtakes its admission ends the hold in advance; usage under an unknown id cannot be charged. Returns
 * undefined when the admission was committed in between.
 */
async function settleUnseen(client: pg.Client, item: SettleItem): Promise<SettleResult | undefined> {
  const { holdId, owner, used, isInDoubt } = item;
  if (!owner || isInDoubt || !isNothing(used)) return UNKNOWN;
  const isInserted = await insertTombstone(client, holdId, owner);
  return isInserted ? { ...UNKNOWN, outcome: SettleOutcome.RELEASED } : undefined;
}

async function readMissingHolds(client: pg.Client, items: SettleItem[]): Promise<void> {
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

function writeFor(item: SettleItem, hold: Hold): ItemWrite {
  const { used, usage, wasReplaced } = settledUse(item, hold);
  const settlement = item.kind === 'expire' ? expireHold(hold, used) : settleHold(hold, used, item.isInDoubt);
  return { hold, settlement, events: settlementEvents(hold, settlement, usage, item.facts), wasReplaced };
}

interface ItemWrite extends SettlementWrite {
  wasReplaced: boolean;
}

function resultOf({ settlement, wasReplaced }: ItemWrite, hasReachedThreshold: boolean): SettleResult {
  return {
    outcome: settlement.state === HOLD_STATES.released ? SettleOutcome.RELEASED : SettleOutcome.POSTED,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
    hasReachedThreshold,
    wasReplaced,
  };
}
