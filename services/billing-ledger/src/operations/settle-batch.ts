import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type pg from 'pg';
import { HOLD_STATES, type Hold, holdFromRow } from '../domain/hold.js';
import { expireHold, isNothing, type Settlement, settleHold } from '../domain/settle-hold.js';
import { findHolds, insertTombstone } from '../store/open-holds.js';
import { type SettlementWrite, settleAllOrNothing } from '../store/settle-holds.js';
import { duplicateOf, type SettleItem, type SettleResult } from './settle-item.js';
import { settleLate } from './settle-late.js';
import { settlementEvents } from './settlement-events.js';

/** The common case: every hold is open and known, one statement. Anything else goes one by one. */
export async function settleTogether(client: pg.Client, items: SettleItem[]): Promise<SettleResult[]> {
  await readMissingHolds(client, items);
  const writes = items.flatMap((item) => (item.hold ? [writeFor(item, item.hold)] : []));
  const isSimple = writes.length === items.length && new Set(items.map((item) => item.requestId)).size === items.length;
  const done = isSimple ? await settleAllOrNothing(client, writes) : undefined;
  if (done) return writes.map((write) => resultOf(write.settlement, done.hasReachedThreshold));
  return settleOneByOne(client, items);
}

/** Safe to repeat: what has ended answers as it ended. */
export async function settleOneByOne(client: pg.Client, items: SettleItem[]): Promise<SettleResult[]> {
  const results: SettleResult[] = [];
  for (const item of items) results.push(await settleOne(client, item));
  return results;
}

async function settleOne(client: pg.Client, item: SettleItem): Promise<SettleResult> {
  const [row] = await findHolds(client, [item.requestId]);
  if (!row) return settleUnseen(client, item);
  if (row.state === HOLD_STATES.open) {
    const write = writeFor(item, holdFromRow(row));
    const done = await settleAllOrNothing(client, [write]);
    if (done) return resultOf(write.settlement, done.hasReachedThreshold);
    // Somebody else ended it since, or a verdict came too early: judge what is there now.
    const [now] = await findHolds(client, [item.requestId]);
    if (now?.state === HOLD_STATES.open && item.kind === 'report') return settleOne(client, item);
    return duplicateOf(now ?? row);
  }
  // The verdict on expiry has recorded the doubt; a report in doubt has nothing to add.
  const isNews = item.kind === 'report' && !item.isInDoubt;
  if (row.state === HOLD_STATES.expired && isNews) return settleLate(client, item);
  return duplicateOf(row);
}

/** A release that overtakes its admission ends the hold in advance; usage under an unknown id cannot be charged. */
async function settleUnseen(client: pg.Client, item: SettleItem): Promise<SettleResult> {
  const { requestId, owner, used, isInDoubt } = item;
  const nothing = { customerMicrocents: 0n, ownerMicrocents: 0n, overrunMicrocents: 0n, hasReachedThreshold: false };
  if (!owner || isInDoubt || !isNothing(used)) return { outcome: SettleOutcome.UNKNOWN_REQUEST, ...nothing };
  if (await insertTombstone(client, requestId, owner)) return { outcome: SettleOutcome.RELEASED, ...nothing };
  // Its admission was committed in between.
  return settleOne(client, item);
}

async function readMissingHolds(client: pg.Client, items: SettleItem[]): Promise<void> {
  const missing = items.filter((item) => !item.hold);
  if (missing.length === 0) return;
  const rows = await findHolds(
    client,
    missing.map((item) => item.requestId),
  );
  const byId = new Map(rows.map((row) => [row.request_id, row]));
  for (const item of missing) {
    const row = byId.get(item.requestId);
    if (row) item.hold = holdFromRow(row);
  }
}

function writeFor(item: SettleItem, hold: Hold): SettlementWrite {
  const settlement = item.kind === 'expire' ? expireHold(hold, item.used) : settleHold(hold, item.used, item.isInDoubt);
  return { hold, settlement, events: settlementEvents(hold, settlement, item.usage, item.facts) };
}

function resultOf(settlement: Settlement, hasReachedThreshold: boolean): SettleResult {
  return {
    outcome: settlement.state === HOLD_STATES.released ? SettleOutcome.RELEASED : SettleOutcome.POSTED,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
    hasReachedThreshold,
  };
}
