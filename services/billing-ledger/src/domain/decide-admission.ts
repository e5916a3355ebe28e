import type { HoldLeg } from './hold.js';
import { type AdmissionPlan, type Payer, payerCost, type Refused } from './plan-admission.js';
import type { LimitRole, Subject } from './subject.js';

/** Free funds per ledger account, read under lock; `undefined` = no bound. */
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
 * All or nothing over every limit of the plan. A request without a named maximum is cut to what all payers can cover,
 * down to the plan's minimum; a named maximum is covered in full or refused. The refusal names the first limit, in the
 * plan's order, that cannot cover the request.
 */
export function decideAdmission(
  plan: AdmissionPlan,
  accounts: Subject['accounts'],
  available: Availability,
): Admitted | Refused {
  let outputTokens = plan.outputTokensWanted;
  for (const payer of plan.payers) {
    const affordable = affordableOutput(plan, payer, fundsOf(payer, accounts, available));
    if (affordable < plan.outputTokensMin) return refusal(plan, payer, accounts, available);
    if (affordable < outputTokens) outputTokens = affordable;
  }
  const legs = plan.payers.flatMap((payer) => split(payer, payerCost(plan, payer, outputTokens), accounts, available));
  return { kind: 'admitted', outputTokens, legs };
}

/** The legs when every first limit covers its payer's full wish: what the set-based fast path asks for. */
export function optimisticLegs(plan: AdmissionPlan, accounts: Subject['accounts']): HoldLeg[] {
  const legs: HoldLeg[] = [];
  for (const payer of plan.payers) {
    const role = payer.roles[0] as LimitRole;
    const amount = payerCost(plan, payer, plan.outputTokensWanted);
    if (amount > 0n) legs.push({ role, account: accounts[role] as bigint, amount });
  }
  return legs;
}

function fundsOf(payer: Payer, accounts: Subject['accounts'], available: Availability): bigint | undefined {
  let sum = 0n;
  for (const role of payer.roles) {
    const free = available(accounts[role] as bigint);
    if (free === undefined) return undefined;
    if (free > 0n) sum += free;
  }
  return sum;
}

/** Most output tokens that the funds cover beside input and images; -1 when they do not even cover those. */
function affordableOutput(plan: AdmissionPlan, payer: Payer, funds: bigint | undefined): bigint {
  const fixed = payerCost(plan, payer, 0n);
  if (funds === undefined || payerCost(plan, payer, plan.outputTokensWanted) <= funds) return plan.outputTokensWanted;
  if (fixed > funds || 'units' in payer) return -1n;
  return (funds - fixed) / payer.price.outputPerMillionCents;
}

/** Earlier limits are drained before later ones. */
function split(payer: Payer, amount: bigint, accounts: Subject['accounts'], available: Availability): HoldLeg[] {
  const legs: HoldLeg[] = [];
  let rest = amount;
  for (const role of payer.roles) {
    if (rest <= 0n) break;
    const account = accounts[role] as bigint;
    const free = available(account);
    const part = free === undefined || free >= rest ? rest : free;
    if (part <= 0n) continue;
    legs.push({ role, account, amount: part });
    rest -= part;
  }
  return legs;
}

/** With several limits behind one payer the first one is named: the allowance of an overage tier. */
function refusal(plan: AdmissionPlan, payer: Payer, accounts: Subject['accounts'], available: Availability): Refused {
  const role = payer.roles[0] as LimitRole;
  const account = accounts[role] as bigint;
  const required = payerCost(plan, payer, plan.outputTokensMin);
  const isShared = payer.roles.length > 1;
  const left = (isShared ? fundsOf(payer, accounts, available) : available(account)) ?? 0n;
  return {
    kind: 'refused',
    ...REFUSALS[role],
    shortage: { role, account, required, available: left },
    mayFitCounted: plan.isEstimateLoose && 'price' in payer && left > 0n,
  };
}
