import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { appendEvents } from '@tollgate/events';
import type pg from 'pg';
import { COUNTER_ACCOUNTS } from '../domain/counter-accounts.js';
import { HOLD_STATES, holdFromRow } from '../domain/hold.js';
import { expireHold, type Settlement, settleHold, type Transfer } from '../domain/settle-hold.js';
import { type AccountRow, availableOf, lockAccounts } from '../store/accounts.js';
import { addToRollup, correctHold, lockHold } from '../store/late-settlements.js';
import { findHolds, type HoldRow } from '../store/open-holds.js';
import { insertTransfer } from '../store/transfers.js';
import { duplicateOf, type SettleItem, type SettleResult } from './settle-item.js';
import { correctionEvent } from './settlement-events.js';

/**
 * A report for a hold that had expired: accepted once. What the verdict had parked as unreconciled is taken back, the
 * customer pays the difference as far as the hold covered it and funds are still free; the rest is overrun.
 */
export async function settleLate(client: pg.Client, item: SettleItem): Promise<SettleResult> {
  await client.query('BEGIN');
  try {
    const result = await settleLocked(client, item);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function settleLocked(client: pg.Client, item: SettleItem): Promise<SettleResult> {
  const [seen] = await findHolds(client, [item.requestId]);
  const hold = holdFromRow(seen as HoldRow);
  const accounts = await lockAccounts(
    client,
    hold.legs.map((leg) => leg.account),
  );
  const row = await lockHold(client, item.requestId);
  if (row.state !== HOLD_STATES.expired) return duplicateOf(row);

  const verdict = expireHold(hold, {
    inputTokens: row.progress_input_tokens,
    outputTokens: row.progress_output_tokens,
    images: 0n,
  });
  const full = settleHold(hold, item.used);
  const { settlement, extras } = correction(hold.legs, verdict, full, accounts);
  for (const transfer of extras) await insertTransfer(client, { ...transfer, cause: item.requestId });
  await correctHold(client, item.requestId, settlement);
  await addToRollup(client, hold, difference(settlement, verdict));
  await appendEvents(client, [correctionEvent(hold, settlement, item.usage, item.facts)]);
  return {
    outcome: SettleOutcome.LATE,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
  };
}

/** Charges on top of the verdict, each leg at most by what is still free. */
function correction(
  legs: ReturnType<typeof holdFromRow>['legs'],
  verdict: Settlement,
  full: Settlement,
  accounts: Map<bigint, AccountRow>,
): { settlement: Settlement; extras: Transfer[] } {
  const extras: Transfer[] = [];
  let customer = verdict.customerMicrocents;
  let owner = verdict.ownerMicrocents;
  legs.forEach((leg, i) => {
    const wanted = (full.posted[i] as bigint) - (verdict.posted[i] as bigint);
    const free = availableOf(accounts.get(leg.account) as AccountRow);
    const amount = free === undefined || free >= wanted ? wanted : free > 0n ? free : 0n;
    if (amount <= 0n) return;
    if (leg.role === 'owner') owner += amount;
    else if (leg.role !== 'key') customer += amount;
    const credit =
      leg.role === 'owner'
        ? COUNTER_ACCOUNTS.providerCost
        : leg.role === 'key'
          ? COUNTER_ACCOUNTS.keySpend
          : COUNTER_ACCOUNTS.customerCharges;
    extras.push({ debit: leg.account, credit, amountMicrocents: amount, kind: `late_${leg.role}` });
  });
  const overrun = full.ownerMicrocents + full.overrunMicrocents - owner;
  if (overrun > verdict.overrunMicrocents) {
    extras.push({
      debit: COUNTER_ACCOUNTS.overrun,
      credit: COUNTER_ACCOUNTS.providerCost,
      amountMicrocents: overrun - verdict.overrunMicrocents,
      kind: 'late_overrun',
    });
  }
  if (verdict.unreconciledMicrocents > 0n) {
    extras.push({
      debit: COUNTER_ACCOUNTS.providerCost,
      credit: COUNTER_ACCOUNTS.unreconciled,
      amountMicrocents: verdict.unreconciledMicrocents,
      kind: 'reconciled',
    });
  }
  return {
    settlement: {
      ...full,
      state: HOLD_STATES.late,
      customerMicrocents: customer,
      ownerMicrocents: owner,
      overrunMicrocents: overrun,
      unreconciledMicrocents: 0n,
    },
    extras,
  };
}

function difference(to: Settlement, from: Settlement): Settlement {
  return {
    ...to,
    used: {
      inputTokens: to.used.inputTokens - from.used.inputTokens,
      outputTokens: to.used.outputTokens - from.used.outputTokens,
      images: to.used.images - from.used.images,
    },
    customerMicrocents: to.customerMicrocents - from.customerMicrocents,
    ownerMicrocents: to.ownerMicrocents - from.ownerMicrocents,
    overrunMicrocents: to.overrunMicrocents - from.overrunMicrocents,
    unreconciledMicrocents: to.unreconciledMicrocents - from.unreconciledMicrocents,
  };
}
