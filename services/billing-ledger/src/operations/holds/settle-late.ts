import { SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { appendEvents } from '@tollgate/events';
import type pg from 'pg';
import { COUNTER_ACCOUNTS } from '../../domain/counter-accounts.js';
import { HOLD_STATES, holdFromRow } from '../../domain/hold.js';
import { COUNTERPARTS, expireHold, type Settlement, settleHold, type Transfer } from '../../domain/settle-hold.js';
import { isCustomers } from '../../domain/subject.js';
import { type AccountRow, availableFunds, lockAccounts } from '../../store/accounts.js';
import { addToRollup, correctHold, lockHold } from '../../store/holds/late-settlements.js';
import { findHolds, type HoldRow } from '../../store/holds/open-holds.js';
import { markThresholds } from '../../store/reports/usage-thresholds.js';
import { insertTransfer } from '../../store/transfers.js';
import { duplicateOf, type SettleItem, type SettleResult, settledUse } from './settle-item.js';
import { correctionEvent } from './settlement-events.js';

/**
 * A report for a hold that had expired: accepted once. What the verdict had parked as unreconciled is taken back. What was
 * used beyond the verdict is charged as far as the hold covered it and funds are still free, the rest is overrun; what
 * the verdict charged too much is given back.
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
  const [seen] = await findHolds(client, [item.holdId]);
  const accounts = await lockAccounts(
    client,
    holdFromRow(seen as HoldRow).legs.map((leg) => leg.account),
  );
  const row = await lockHold(client, item.holdId);
  if (row.state !== HOLD_STATES.expired) return duplicateOf(row);
  // As it is now: a new attempt may have taken the customer out of it in the meantime.
  const hold = holdFromRow(row);

  const verdict = expireHold(hold, {
    inputTokens: row.input_tokens ?? 0n,
    outputTokens: row.output_tokens ?? 0n,
    images: BigInt(row.images ?? 0),
  });
  const { used, usage, wasReplaced } = settledUse(item, hold);
  const full = settleHold(hold, used);
  const { settlement, extras } = correction(hold.legs, verdict, full, accounts);
  for (const { amount, ...transfer } of extras) {
    await insertTransfer(client, { ...transfer, amountMicrocents: amount, cause: item.holdId });
  }
  const hasReachedThreshold = await markThresholds(client, accounts.keys());
  await correctHold(client, item.holdId, settlement);
  const requests = requestsOf(settlement) - requestsOf(verdict);
  await addToRollup(client, hold, difference(settlement, verdict), requests);
  await appendEvents(client, [correctionEvent(hold, settlement, usage, item.facts)]);
  return {
    outcome: SettleOutcome.LATE,
    customerMicrocents: settlement.customerMicrocents,
    ownerMicrocents: settlement.ownerMicrocents,
    overrunMicrocents: settlement.overrunMicrocents,
    hasReachedThreshold,
    wasReplaced,
  };
}

/** From the verdict to the report: each leg is charged more, at most by what is still free, or gets something back. */
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
    else if (isCustomers(leg.role)) customer += amount;
    extras.push(...moved(leg.account, COUNTERPARTS[leg.role].credit, amount, leg.role));
  });
  const overrun = full.ownerMicrocents + full.overrunMicrocents - owner;
  const customerOverrun = full.customerMicrocents + full.customerOverrunMicrocents - customer;
  const { overrun: from, providerCost, customerCharges } = COUNTER_ACCOUNTS;
  const customerDelta = customerOverrun - verdict.customerOverrunMicrocents;
  extras.push(...moved(from, providerCost, overrun - verdict.overrunMicrocents, 'overrun'));
  extras.push(...moved(from, customerCharges, customerDelta, 'overrun_customer'));
  if (verdict.unreconciledMicrocents > 0n) {
    extras.push({
      debit: COUNTER_ACCOUNTS.providerCost,
      credit: COUNTER_ACCOUNTS.unreconciled,
      amount: verdict.unreconciledMicrocents,
      kind: 'reconciled',
    });
  }
  return {
    settlement: {
      ...full,
      state: HOLD_STATES.late,
      customerMicrocents: customer,
      customerOverrunMicrocents: customerOverrun,
      ownerMicrocents: owner,
      overrunMicrocents: overrun,
      unreconciledMicrocents: 0n,
    },
    extras,
  };
}

/** Of what is to be charged, what is there. What is to be given back is given whatever the account has, also below zero. */
function affordable(wanted: bigint, free: bigint | undefined): bigint {
  if (wanted <= 0n || free === undefined || free >= wanted) return wanted;
  return free > 0n ? free : 0n;
}

/** More of what the verdict booked, or some of it the other way round. */
function moved(debit: bigint, credit: bigint, amount: bigint, what: string): Transfer[] {
  if (amount > 0n) return [{ debit, credit, amount, kind: `late_${what}` }];
  return amount < 0n ? [{ debit: credit, credit: debit, amount: -amount, kind: `returned_${what}` }] : [];
}

/** A request without any use is not counted. */
function requestsOf({ used }: Settlement): number {
  return used.inputTokens + used.outputTokens + used.images > 0n ? 1 : 0;
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
