import { COUNTER_ACCOUNTS } from './counter-accounts.js';
import { HOLD_STATES, type Hold, type HoldLeg, heldUnits } from './hold.js';
import { costMicrocents, type Price, type UsedUnits } from './price.js';
import type { LimitRole } from './subject.js';

export interface Transfer {
  debit: bigint;
  credit: bigint;
  /** Microcents; units on the quota. */
  amount: bigint;
  kind: string;
}

/** How a hold ends: what leaves each limit, and what the journal says about it. */
export interface Settlement {
  state: number;
  used: UsedUnits;
  /** Same order as the hold's legs; ≤ the leg's amount. */
  posted: bigint[];
  transfers: Transfer[];
  customerMicrocents: bigint;
  /** The customer's price beyond what was held: charged to nobody. */
  customerOverrunMicrocents: bigint;
  ownerMicrocents: bigint;
  /** Provider cost beyond what was held: charged to nobody. */
  overrunMicrocents: bigint;
  /** Upper bound of provider cost that may have been served without a report. */
  unreconciledMicrocents: bigint;
}

/** Where a charge on a limit goes, and what the journal calls it. */
export const COUNTERPARTS: Record<LimitRole, { credit: bigint; kind: string }> = {
  allowance: { credit: COUNTER_ACCOUNTS.customerCharges, kind: 'charge_allowance' },
  wallet: { credit: COUNTER_ACCOUNTS.customerCharges, kind: 'charge_wallet' },
  key: { credit: COUNTER_ACCOUNTS.keySpend, kind: 'key_spend' },
  owner: { credit: COUNTER_ACCOUNTS.providerCost, kind: 'provider_cost' },
  daily_cap: { credit: COUNTER_ACCOUNTS.dailySpend, kind: 'daily_spend' },
  quota: { credit: COUNTER_ACCOUNTS.quotaUse, kind: 'quota_use' },
};

/**
 * A report of what was served: posted up to the hold, the excess to the platform's overrun account. In doubt, more may
 * have been served than anybody has heard of.
 */
export function settleHold(hold: Hold, used: UsedUnits, isInDoubt = false): Settlement {
  const settlement = post(hold, used);
  settlement.state = isNothing(used) ? HOLD_STATES.released : HOLD_STATES.posted;
  if (isInDoubt) recordDoubt(hold, settlement);
  return settlement;
}

/** The verdict on a hold that nobody settled in time. What progress proved is charged, the rest is in doubt. */
export function expireHold(hold: Hold, progress: UsedUnits): Settlement {
  const settlement = post(hold, progress);
  settlement.state = HOLD_STATES.expired;
  recordDoubt(hold, settlement);
  return settlement;
}

/**
 * The rest of the provider cost that the hold covered may or may not have been served: recorded as unreconciled, never
 * silently gone.
 */
function recordDoubt(hold: Hold, settlement: Settlement): void {
  const bound = costMicrocents(hold.terms.providerPrice, heldUnits(hold.terms));
  const rest = bound - settlement.ownerMicrocents - settlement.overrunMicrocents;
  if (rest > 0n) {
    settlement.unreconciledMicrocents = rest;
    settlement.transfers.push({
      debit: COUNTER_ACCOUNTS.unreconciled,
      credit: COUNTER_ACCOUNTS.providerCost,
      amount: rest,
      kind: 'unreconciled',
    });
  }
}

function post(hold: Hold, used: UsedUnits): Settlement {
  const { customerPrice, providerPrice } = hold.terms;
  const posted = hold.legs.map(() => 0n);
  const customer = drain(hold.legs, posted, ['allowance', 'wallet'], customerPrice, used);
  drain(hold.legs, posted, ['key'], providerPrice, used);
  drain(hold.legs, posted, ['daily_cap'], providerPrice, used);
  countRequest(hold.legs, posted, used);
  const owner = drain(hold.legs, posted, ['owner'], providerPrice, used);
  const transfers = hold.legs.flatMap((leg, i) => chargeOf(leg, posted[i] as bigint));
  if (customer.excess > 0n)
    transfers.push(overrun(COUNTER_ACCOUNTS.customerCharges, customer.excess, 'overrun_customer'));
  if (owner.excess > 0n) transfers.push(overrun(COUNTER_ACCOUNTS.providerCost, owner.excess, 'overrun'));
  return {
    state: HOLD_STATES.posted,
    used,
    posted,
    transfers,
    customerMicrocents: customer.charged,
    customerOverrunMicrocents: customer.excess,
    ownerMicrocents: owner.charged,
    overrunMicrocents: owner.excess,
    unreconciledMicrocents: 0n,
  };
}

function drain(
  legs: readonly HoldLeg[],
  posted: bigint[],
  roles: LimitRole[],
  price: Price | undefined,
  used: UsedUnits,
): { charged: bigint; excess: bigint } {
  let rest = price ? costMicrocents(price, used) : 0n;
  let charged = 0n;
  for (const role of roles) {
    legs.forEach((leg, i) => {
      if (leg.role !== role || rest <= 0n) return;
      const part = rest < leg.amount ? rest : leg.amount;
      posted[i] = part;
      charged += part;
      rest -= part;
    });
  }
  return { charged, excess: rest };
}

/** A request that was served at all counts in full; one that was not does not count. */
function countRequest(legs: readonly HoldLeg[], posted: bigint[], used: UsedUnits): void {
  legs.forEach((leg, i) => {
    if (leg.role === 'quota' && !isNothing(used)) posted[i] = leg.amount;
  });
}

function chargeOf(leg: HoldLeg, amount: bigint): Transfer[] {
  if (amount === 0n) return [];
  return [{ debit: leg.account, amount, ...COUNTERPARTS[leg.role] }];
}

function overrun(credit: bigint, amount: bigint, kind: string): Transfer {
  return { debit: COUNTER_ACCOUNTS.overrun, credit, amount, kind };
}

export function isNothing(used: UsedUnits): boolean {
  return used.inputTokens === 0n && used.outputTokens === 0n && used.images === 0n;
}
