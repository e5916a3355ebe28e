import type { HoldLeg } from './hold.js';
import { type AdmissionPlan, type CheckedLimit, type Payer, payerCost, type Refused } from './plan-admission.js';
import type { LimitAccount, LimitRole } from './subject.js';

/** Returns an account's free funds, read under lock; undefined = no bound. */
export type Availability = (account: bigint) => bigint | undefined;

export interface Admitted {
  kind: 'admitted';
  outputTokens: bigint;
  legs: HoldLeg[];
}

const REFUSALS: Record<LimitRole, { code: string; message: string }> = {
  allowance: {
    code: 'TIER_ALLOWANCE_EXHAUSTED',
    message: "the tier's spend allowance for this billing window cannot cover the request",
  },
  wallet: { code: 'WALLET_EMPTY', message: "the customer's wallet cannot cover the request; top it up" },
  key: {
    code: 'API_KEY_SPEND_LIMIT_REACHED',
    message: "the API key's lifetime spend limit is reached; revoke and replace the key",
  },
  owner: { code: 'PROVIDER_ACCOUNT_UNFUNDED', message: "the project owner's prepaid balance cannot cover the request" },
  daily_cap: {
    code: 'FREE_CREDIT_DAILY_CAP',
    message: "the day's cap on granted credit cannot cover the request; top the account up to lift it",
  },
  quota: { code: 'ACCOUNT_QUOTA_EXCEEDED', message: "the account's usage quota for this month is exhausted" },
};

/**
 * Decides a request over all limits of the plan, all or nothing. Output without a named maximum is cut to what every payer
 * covers, down to the plan's minimum; output with a named maximum is covered in full or refused. The refusal names the first
 * limit in the plan's order that does not cover the request.
 */
export function decideAdmission(plan: AdmissionPlan, available: Availability): Admitted | Refused {
  let outputTokens = plan.outputTokensWanted;
  for (const [i, payer] of plan.payers.entries()) {
    const affordable = affordableOutput(plan, payer, freeFunds(payer.limits, available));
    if (affordable < plan.outputTokensMin) {
      const checked = plan.payers.slice(0, i + 1).flatMap((each) => toChecked(plan, each, available));
      return { ...refuse(plan, payer, available), checked };
    }
    if (affordable < outputTokens) outputTokens = affordable;
  }
  const legs = plan.payers.flatMap((payer) => split(payer, payerCost(plan, payer, outputTokens), available));
  return { kind: 'admitted', outputTokens, legs };
}

/** Sums the free funds of limits; undefined if one of them has no bound. */
function freeFunds(limits: readonly LimitAccount[], available: Availability): bigint | undefined {
  let sum = 0n;
  for (const { account } of limits) {
    const free = available(account);
    if (free === undefined) return undefined;
    if (free > 0n) sum += free;
  }
  return sum;
}

/** Returns the output that the funds cover besides input and images; -1 if they do not cover input and images. */
function affordableOutput(plan: AdmissionPlan, payer: Payer, funds: bigint | undefined): bigint {
  const fixed = payerCost(plan, payer, 0n);
  if (funds === undefined || payerCost(plan, payer, plan.outputTokensWanted) <= funds) return plan.outputTokensWanted;
  if (fixed > funds || 'units' in payer) return -1n;
  return (funds - fixed) / (payer.price.bound ?? payer.price).outputPerMillionCents;
}

/** Splits an amount over a payer's limits; earlier limits are used up first. */
function split(payer: Payer, amount: bigint, available: Availability): HoldLeg[] {
  const legs: HoldLeg[] = [];
  let rest = amount;
  for (const { role, account } of payer.limits) {
    const free = available(account);
    const part = free === undefined || free >= rest ? rest : free;
    if (part <= 0n) continue;
    legs.push({ role, account, amount: part });
    rest -= part;
  }
  return legs;
}

function toChecked(plan: AdmissionPlan, payer: Payer, available: Availability): CheckedLimit[] {
  const required = payerCost(plan, payer, plan.outputTokensMin);
  return payer.limits.map((limit) => ({ ...limit, required, available: available(limit.account) }));
}

/** Names the payer's first limit: on an overage tier, the allowance. */
function refuse(plan: AdmissionPlan, payer: Payer, available: Availability): Refused {
  const [{ role, account }] = payer.limits;
  const required = payerCost(plan, payer, plan.outputTokensMin);
  const isShared = payer.limits.length > 1;
  const left = (isShared ? freeFunds(payer.limits, available) : available(account)) ?? 0n;
  return {
    kind: 'refused',
    ...REFUSALS[role],
    shortage: { role, account, required, available: left },
    mayFitCounted: plan.isEstimateLoose && 'price' in payer && left > 0n,
  };
}

/** Figures of a request that was refused because the owner's own funds do not cover it. */
export interface BlockInfo {
  refusalCode: string;
  requiredMicrocents: bigint;
  availableMicrocents: bigint;
  shortfallMicrocents: bigint;
}

/**
 * Returns the figures of SPEC "account.admission_blocked": the prepaid balance of an unfunded account, or the projected
 * spend of the day and the daily cap. Returns undefined for refusals that emit no such event.
 */
export function toBlockInfo({ code, shortage }: Refused, capMicrocents: bigint | undefined): BlockInfo | undefined {
  if (shortage?.role === 'owner') return blockInfo(code, shortage.required, shortage.available);
  if (shortage?.role !== 'daily_cap') return undefined;
  const cap = capMicrocents ?? 0n;
  const spentAndHeld = cap - shortage.available;
  return blockInfo(code, spentAndHeld + shortage.required, cap);
}

function blockInfo(refusalCode: string, required: bigint, available: bigint): BlockInfo {
  return {
    refusalCode,
    requiredMicrocents: required,
    availableMicrocents: available,
    shortfallMicrocents: required - available,
  };
}
