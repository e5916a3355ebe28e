import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type pg from 'pg';
import { HOLD_STATES, type Hold, holdFromRow } from '../domain/hold.js';
import { expireHold, type Settlement, settleHold } from '../domain/settle-hold.js';
import { findHolds, type HoldRow } from '../store/open-holds.js';
import { type SettlementWrite, settleHolds } from '../store/settle-holds.js';
import { duplicateOf, type SettleItem, type SettleResult } from './settle-item.js';
import { settleLate } from './settle-late.js';
import { settlementEvents } from './settlement-events.js';

const UNKNOWN: SettleResult = {
  outcome: SettleOutcome.UNKNOWN_REQUEST,
  customerMicrocents: 0n,
  ownerMicrocents: 0n,
  overrunMicrocents: 0n,
};

/** Ends holds by report or by expiry. Safe to repeat: what has ended answers as it ended. */
export async function settleBatch(client: pg.Client, items: SettleItem[]): Promise<SettleResult[]> {
  await readMissingHolds(client, items);
  const writes = new Map<string, SettlementWrite>();
  for (const item of items) {
    if (item.hold && !writes.has(item.requestId)) writes.set(item.requestId, writeFor(item, item.hold));
  }
  const ended = writes.size > 0 ? await settleHolds(client, [...writes.values()]) : new Set<string>();
  const results: SettleResult[] = [];
  for (const item of items) {
    // Only the first of several items with one id in a batch is the one that settled.
    const write = ended.delete(item.requestId) ? writes.get(item.requestId) : undefined;
    results.push(write ? resultOf(write.settlement) : await resultOfEnded(client, item));
  }
  return results;
}

async function readMissingHolds(client: pg.Client, items: SettleItem[]): Promise<void> {
  const missing = items.filter((item) => !item.hold);
  if (missing.length === 0) return;
  const rows = new Map(
    (
      await findHolds(
        client,
        missing.map((item) => item.requestId),
      )
    ).map((row) => [row.request_id, row]),
  );
  for (const item of missing) {
    const row = rows.get(item.requestId);
    if (row) item.hold = holdFromRow(row);
  }
}

function writeFor(item: SettleItem, hold: Hold): SettlementWrite {
  const settlement = item.kind === 'expire' ? expireHold(hold, item.used) : settleHold(hold, item.used);
  return { hold, settlement, events: settlementEvents(hold, settlement, item.usage, item.facts) };
}

/** The hold is open, but not as this process remembered it: another admission took it over in the meantime. */
async function settleAsStored(client: pg.Client, item: SettleItem, row: HoldRow): Promise<SettleResult> {
  const write = writeFor(item, holdFromRow(row));
  const ended = await settleHolds(client, [write]);
  if (ended.has(item.requestId)) return resultOf(write.settlement);
  const [now] = await findHolds(client, [item.requestId]);
  return now ? duplicateOf(now) : UNKNOWN;
}

/** The hold had ended before: the same figures again, or a late report of an expired one. */
async function resultOfEnded(client: pg.Client, item: SettleItem): Promise<SettleResult> {
  const [row] = await findHolds(client, [item.requestId]);
  if (!row) return UNKNOWN;
  if (row.state === HOLD_STATES.open && item.kind === 'report') return settleAsStored(client, item, row);
  if (row.state === HOLD_STATES.expired && item.kind === 'report') return settleLate(client, item);
  return duplicateOf(row);
}

function resultOf(settlement: Settlement): SettleResult {
  return {
    outcome: settlement.state === HOLD_STATES.released ? SettleOutcome.RELEASED : SettleOutcome.POSTED,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
  };
}
