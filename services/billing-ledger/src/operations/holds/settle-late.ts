import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { appendEvents } from '@tollgate/events';
import type { Tx } from '@tollgate/postgres';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { HOLD_STATES, holdFromRow } from '../../domain/hold.js';
import {
  COUNTERPARTS,
  expireHold,
  isNothing,
  type Settlement,
  settleHold,
  type Transfer,
} from '../../domain/settle-hold.js';
import { isCustomerRole } from '../../domain/subject.js';
import { type AccountRow, availableFunds, lockAccounts } from '../../store/accounts.js';
import { type Connection, inTransaction } from '../../store/database.js';
import { correctHold, lockHold } from '../../store/holds/late-settlements.js';
import { findHolds, type HoldRow } from '../../store/holds/open-holds.js';
import { addToRollup } from '../../store/holds/settle-and-hold.js';
import { markThresholds } from '../../store/reports/usage-thresholds.js';
import { insertTransfer } from '../../store/transfers.js';
import {
  correctionEvent,
  type SettleItem,
  type SettleResult,
  settledUse,
  toBooked,
  toDuplicate,
} from './settle-item.js';

/**
 * Accepts one report for an expired hold. Replaces the verdict's unreconciled amount by that of the report. Charges usage beyond the verdict as far
 * as the hold covered it and funds are free, and books the rest as overrun. Returns what the verdict charged too much.
 */
export function settleLate(client: Connection, item: SettleItem): Promise<SettleResult> {
  return inTransaction(client, (tx) => settleLocked(tx, item));
}

async function settleLocked(tx: Tx, item: SettleItem): Promise<SettleResult> {
  const [seen] = await findHolds(tx, [item.holdId]);
  const accounts = await lockAccounts(
    tx,
    holdFromRow(seen as HoldRow).legs.map((leg) => leg.account),
  );
  const row = await lockHold(tx, item.holdId);
  if (row.state !== HOLD_STATES.expired) return toDuplicate(row);
  // The locked row counts: a later attempt may have superseded this one in the meantime.
  const hold = holdFromRow(row);

  const progress = {
    inputTokens: row.input_tokens ?? 0n,
    outputTokens: row.output_tokens ?? 0n,
    images: BigInt(row.images ?? 0),
  };
  const verdict = expireHold(hold, progress);
  // A report in doubt says no more about the usage than the progress did.
  const { used, usage, wasReplaced } = settledUse(
    item.isInDoubt ? { ...item, used: progress, usage: undefined } : item,
    hold,
  );
  const full = settleHold(hold, used, item);
  const { settlement, extras } = correction(hold.legs, verdict, full, accounts);
  for (const { amount, ...transfer } of extras) {
    await insertTransfer(tx, { ...transfer, amountMicrocents: amount, cause: item.holdId });
  }
  const hasReachedThreshold = await markThresholds(tx, accounts.keys());
  await correctHold(tx, item.holdId, settlement);
  const requests = countRequests(settlement) - countRequests(verdict);
  const change = difference(settlement, verdict);
  await addToRollup(tx, hold, change, requests);
  await appendEvents(tx, [correctionEvent(hold, settlement, { ...item, usage })]);
  return {
    outcome: SettleOutcome.LATE,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
    hasReachedThreshold,
    wasReplaced,
    booked: toBooked(hold, change),
  };
}

/** Computes the change from the verdict to the report: each leg is charged more, up to its free funds, or gets money back. */
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
    const amount = affordable(wanted, availableFunds(accounts.get(leg.account) as AccountRow));
    if (leg.role === 'owner') owner += amount;
    else if (isCustomerRole(leg.role)) customer += amount;
    extras.push(...adjustment(leg.account, COUNTERPARTS[leg.role].credit, amount, leg.role));
  });
  const overrun = full.ownerMicrocents + full.overrunMicrocents - owner;
  const customerOverrun = full.customerMicrocents + full.customerOverrunMicrocents - customer;
  const { overrun: from, providerCost, customerCharges, unreconciled } = COUNTER_ACCOUNTS;
  const customerDelta = customerOverrun - verdict.customerOverrunMicrocents;
  extras.push(...adjustment(from, providerCost, overrun - verdict.overrunMicrocents, 'overrun'));
  extras.push(...adjustment(from, customerCharges, customerDelta, 'overrun_customer'));
  const doubt = full.unreconciledMicrocents - verdict.unreconciledMicrocents;
  if (doubt > 0n) extras.push({ debit: unreconciled, credit: providerCost, amount: doubt, kind: 'unreconciled' });
  if (doubt < 0n) extras.push({ debit: providerCost, credit: unreconciled, amount: -doubt, kind: 'reconciled' });
  return {
    settlement: {
      ...full,
      state: HOLD_STATES.late,
      customerMicrocents: customer,
      customerOverrunMicrocents: customerOverrun,
      ownerMicrocents: owner,
      overrunMicrocents: overrun,
    },
    extras,
  };
}

/** Limits a charge to the free funds. A negative amount is returned in full, even if the account is below zero. */
function affordable(wanted: bigint, free: bigint | undefined): bigint {
  if (wanted <= 0n || free === undefined || free >= wanted) return wanted;
  return free > 0n ? free : 0n;
}

/** Returns the transfer that adds to what the verdict booked, or reverses a part of it. */
function adjustment(debit: bigint, credit: bigint, amount: bigint, what: string): Transfer[] {
  if (amount > 0n) return [{ debit, credit, amount, kind: `late_${what}` }];
  return amount < 0n ? [{ debit: credit, credit: debit, amount: -amount, kind: `returned_${what}` }] : [];
}

/** A request without usage is not counted. */
function countRequests({ used }: Settlement): bigint {
  return isNothing(used) ? 0n : 1n;
}

function difference(to: Settlement, from: Settlement): Settlement {
  return {
    ...to,
    used: {
      inputTokens: to.used.inputTokens - from.used.inputTokens,
      outputTokens: to.used.outputTokens - from.used.outputTokens,
      images: to.used.images - from.used.images,
      toolFeeTokens: (to.used.toolFeeTokens ?? 0n) - (from.used.toolFeeTokens ?? 0n),
    },
    customerMicrocents: to.customerMicrocents - from.customerMicrocents,
    ownerMicrocents: to.ownerMicrocents - from.ownerMicrocents,
    overrunMicrocents: to.overrunMicrocents - from.overrunMicrocents,
    unreconciledMicrocents: to.unreconciledMicrocents - from.unreconciledMicrocents,
  };
}
