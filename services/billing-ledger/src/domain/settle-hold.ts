import { COUNTER_ACCOUNTS } from './counter-accounts.js';
import { HOLD_STATES, type Hold, type HoldLeg, type HoldSnapshot, type HoldState, heldUnits } from './hold.js';
import {
  costMicrocents,
  IMAGES_MAX,
  maxCostMicrocents,
  providerCostMicrocents,
  REQUEST_MICROCENTS_MAX,
  TOKENS_PER_CALL_MAX,
  type UsedUnits,
} from './price.js';
import type { LimitRole } from './subject.js';

export interface Transfer {
  debit: bigint;
  credit: bigint;
  /** In microcents; in units for the quota. */
  amount: bigint;
  kind: string;
}

/** The end of a hold: the charge to each limit and the journal entries. */
export interface Settlement {
  state: HoldState;
  used: UsedUnits;
  /** Charged per leg, in the order of the hold's legs; at most the leg's amount. */
  posted: bigint[];
  transfers: Transfer[];
  customerMicrocents: bigint;
  /** The customer's price beyond the hold; not charged. */
  customerOverrunMicrocents: bigint;
  ownerMicrocents: bigint;
  /** Provider cost beyond the hold; not charged. */
  overrunMicrocents: bigint;
  /** Upper bound of provider cost that may have been served without a report. */
  unreconciledMicrocents: bigint;
}

/** The account that a charge on a limit is credited to, and its kind in the journal. */
export const COUNTERPARTS: Record<LimitRole, { credit: bigint; kind: string }> = {
  allowance: { credit: COUNTER_ACCOUNTS.customerCharges, kind: 'charge_allowance' },
  wallet: { credit: COUNTER_ACCOUNTS.customerCharges, kind: 'charge_wallet' },
  key: { credit: COUNTER_ACCOUNTS.keySpend, kind: 'key_spend' },
  owner: { credit: COUNTER_ACCOUNTS.providerCost, kind: 'provider_cost' },
  daily_cap: { credit: COUNTER_ACCOUNTS.dailySpend, kind: 'daily_spend' },
  quota: { credit: COUNTER_ACCOUNTS.quotaUse, kind: 'quota_use' },
};

/** What providers may have served under a hold besides what was reported. */
export interface Doubt {
  /** The report may be incomplete: the rest of the hold. */
  isInDoubt: boolean;
  /** Calls that were sent and never answered: all that the hold covers, for each. */
  unansweredCalls?: number;
}

/** Routes of a model, and model calls of a turn, are fewer. */
const UNANSWERED_CALLS_MAX = 100;

/**
 * Settles a usage report: posts usage up to the hold and books the excess to the platform's overrun account. Amounts in doubt
 * are recorded as unreconciled.
 */
export function settleHold(hold: Hold, used: UsedUnits, doubt: Doubt = { isInDoubt: false }): Settlement {
  const settlement = post(hold, used);
  settlement.state = isNothing(used) ? HOLD_STATES.released : HOLD_STATES.posted;
  // fault point: release a canceled call without recording its doubt
  recordDoubt(hold, settlement, doubt);
  return settlement;
}

/** Gives the verdict on a hold without a report: charges the recorded progress, and the rest is in doubt. */
export function expireHold(hold: Hold, progress: UsedUnits): Settlement {
  // Progress does not say which connection served it; the owner is not charged for what the project may have paid itself.
  const charged = hold.terms.ownConnections ? { ...progress, providerMicrocents: 0n } : progress;
  const settlement = { ...post(hold, charged), used: progress };
  settlement.state = HOLD_STATES.expired;
  recordDoubt(hold, settlement, { isInDoubt: true });
  return settlement;
}

/**
 * Settles usage of a hold that the database has lost: no limit holds anything for it, so no customer is charged, and the whole
 * provider cost is recorded as unreconciled.
 */
export function settleLost(terms: HoldSnapshot, used: UsedUnits, doubt: Doubt): Settlement {
  const free = { ...used, providerMicrocents: 0n };
  const settlement = { ...post({ legs: [], terms: { ...terms, customerPrice: undefined } }, free), used };
  const cost = providerCostMicrocents(terms.providerPrice, used);
  recordUnreconciled(settlement, cost + doubtMicrocents(terms, cost, doubt));
  return settlement;
}

/** Records provider cost as unreconciled that a provider may or may not have served. */
function recordDoubt(hold: Hold, settlement: Settlement, doubt: Doubt): void {
  const served = settlement.ownerMicrocents + settlement.overrunMicrocents;
  recordUnreconciled(settlement, doubtMicrocents(hold.terms, served, doubt));
}

function doubtMicrocents(terms: HoldSnapshot, served: bigint, { isInDoubt, unansweredCalls = 0 }: Doubt): bigint {
  if (terms.ownConnections === 'only') return 0n;
  const bound = maxCostMicrocents(terms.providerPrice, heldUnits(terms));
  const unreported = isInDoubt && bound > served ? bound - served : 0n;
  return unreported + bound * BigInt(Math.max(0, Math.min(unansweredCalls, UNANSWERED_CALLS_MAX)));
}

function recordUnreconciled(settlement: Settlement, amount: bigint): void {
  if (amount <= 0n) return;
  settlement.unreconciledMicrocents = amount;
  settlement.transfers.push({
    debit: COUNTER_ACCOUNTS.unreconciled,
    credit: COUNTER_ACCOUNTS.providerCost,
    amount,
    kind: 'unreconciled',
  });
}

function post(hold: Pick<Hold, 'legs' | 'terms'>, used: UsedUnits): Settlement {
  const { customerPrice, providerPrice, ownConnections } = hold.terms;
  const posted = hold.legs.map(() => 0n);
  const customerCost = customerPrice ? costMicrocents(customerPrice, used) : 0n;
  const providerCost = ownConnections === 'only' ? 0n : providerCostMicrocents(providerPrice, used);
  const customer = drain(hold.legs, posted, ['allowance', 'wallet'], customerCost);
  drain(hold.legs, posted, ['key'], providerCost);
  drain(hold.legs, posted, ['daily_cap'], providerCost);
  countRequest(hold.legs, posted, used);
  const owner = drain(hold.legs, posted, ['owner'], providerCost);
  const transfers = hold.legs.flatMap((leg, i) => charge(leg, posted[i] as bigint));
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
  cost: bigint,
): { charged: bigint; excess: bigint } {
  let rest = cost;
  let charged = 0n;
  for (const role of roles) {
    legs.forEach((leg, i) => {
      if (leg.role !== role) return;
      const part = rest < leg.amount ? rest : leg.amount;
      posted[i] = part;
      charged += part;
      rest -= part;
    });
  }
  return { charged, excess: rest };
}

/** Counts a request in full if anything was served, and not at all otherwise. */
function countRequest(legs: readonly HoldLeg[], posted: bigint[], used: UsedUnits): void {
  legs.forEach((leg, i) => {
    if (leg.role === 'quota' && !isNothing(used)) posted[i] = leg.amount;
  });
}

function charge(leg: HoldLeg, amount: bigint): Transfer[] {
  if (amount === 0n) return [];
  const { credit, kind } = COUNTERPARTS[leg.role];
  return [{ debit: leg.account, credit, amount, kind }];
}

function overrun(credit: bigint, amount: bigint, kind: string): Transfer {
  return { debit: COUNTER_ACCOUNTS.overrun, credit, amount, kind };
}

export function isNothing(used: UsedUnits): boolean {
  return used.inputTokens === 0n && used.outputTokens === 0n && used.images === 0n;
}

/**
 * Returns the usage to settle. In a report that no request can have caused, every figure that exceeds the hold is replaced
 * by the held figure.
 */
export function plausibleUse(terms: HoldSnapshot, used: UsedUnits): UsedUnits {
  if (isPlausible(terms, used)) return used;
  const held = heldUnits(terms);
  return {
    inputTokens: within(used.inputTokens, held.inputTokens),
    outputTokens: within(used.outputTokens, held.outputTokens),
    images: within(used.images, held.images),
    feeMicrocents: within(used.feeMicrocents ?? 0n, held.feeMicrocents ?? 0n),
  };
}

function isPlausible(terms: HoldSnapshot, used: UsedUnits): boolean {
  const calls = BigInt(1 + Object.keys(terms.extensions ?? {}).length);
  const tokensMax = TOKENS_PER_CALL_MAX * calls;
  if (!isIn(used.inputTokens, tokensMax) || !isIn(used.outputTokens, tokensMax) || !isIn(used.images, IMAGES_MAX))
    return false;
  if (!isIn(used.toolFeeTokens ?? 0n, used.inputTokens)) return false;
  if (!isIn(used.cachedInputTokens ?? 0n, used.inputTokens)) return false;
  if (!isIn(used.feeMicrocents ?? 0n, REQUEST_MICROCENTS_MAX)) return false;
  if (!isIn(used.providerMicrocents ?? 0n, REQUEST_MICROCENTS_MAX * calls)) return false;
  return [terms.providerPrice, terms.customerPrice].every(
    (price) => !price || costMicrocents(price, used) <= REQUEST_MICROCENTS_MAX * calls,
  );
}

function isIn(figure: bigint, max: bigint): boolean {
  return figure >= 0n && figure <= max;
}

function within(figure: bigint, held: bigint): bigint {
  return isIn(figure, held) ? figure : held;
}
