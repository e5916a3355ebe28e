import type { ConnectionMode } from './connections/connection.js';
import type { HoldLeg } from './hold.js';
import {
  IMAGES_MAX,
  maxCostMicrocents,
  NO_EXTRAS,
  type OutputBounds,
  type PlannedModel,
  type Price,
  REQUEST_MICROCENTS_MAX,
  type RequestExtras,
  TOKENS_PER_CALL_MAX,
} from './price.js';
import { CUSTOMER_ROLES, type LimitAccount, type LimitRole, type Subject } from './subject.js';

export interface AdmissionInput {
  kind: 'text' | 'images';
  inputTokensEstimate: number;
  /** If absent: as much as the model allows and the funds cover. */
  maxOutputTokens: number | undefined;
  images: number;
  extras?: RequestExtras | undefined;
  /** The caller will count the input exactly if this estimate does not fit. */
  isEstimateLoose?: boolean;
  /** Alternative answers, each within the model's output bounds; absent for one. */
  answers?: number;
  /** Connections of the project itself may serve the request. */
  ownConnections?: ConnectionMode | undefined;
}

/**
 * A payer of a request with its limits; earlier limits are used up first. A payer is the customer at the tier's price, a
 * limit of the owner at the provider's price, or a limit that counts units instead of money.
 */
export type Payer = { limits: readonly [LimitAccount, ...LimitAccount[]] } & ({ price: Price } | { units: bigint });

export interface AdmissionPlan {
  modelId: string;
  customerPrice: Price | undefined;
  providerPrice: Price;
  inputTokens: bigint;
  images: bigint;
  /** The provider's fees to hold, without a markup. */
  feeMicrocents: bigint;
  isEstimateLoose: boolean;
  ownConnections?: ConnectionMode | undefined;
  /** Output to hold if everything fits. */
  outputTokensWanted: bigint;
  /** Minimum output; equals `outputTokensWanted` if the client named a maximum. */
  outputTokensMin: bigint;
  payers: readonly Payer[];
}

export interface Refused {
  kind: 'refused';
  code: string;
  message: string;
  /** Required and available funds of the limit that refused; absent if another rule refused. */
  shortage?: Shortage;
  /** The limits that were checked, in order; the last one refused. Absent if another rule refused. */
  checked?: readonly CheckedLimit[];
  /** The estimate was loose and the limit is not empty, so an exact count may fit. */
  mayFitCounted?: boolean;
}

/** The least that a refused request needed of a limit, and the free funds; undefined: not enforced. */
export interface CheckedLimit extends LimitAccount {
  required: bigint;
  available: bigint | undefined;
}

export interface Shortage extends LimitAccount {
  /** The minimum that the request needs. */
  required: bigint;
  /** Free funds of all limits of the payer. Negative if more is held than is available. */
  available: bigint;
}

/** A request without a named maximum is refused if the funds cover less output than this. */
export const OUTPUT_TOKENS_MIN = 256;

/** Limits of the owner in money, in the order in which a refusal names them. */
const OWNER_ROLES = ['key', 'owner', 'daily_cap'] as const;

const ACTIVE = new Set(['active', 'trialing', 'past_due']);

/**
 * Refuses customers that the owner has blocked, and those without an active or paid subscription (SPEC "Billing admission
 * refusals", SUBSCRIPTION_INACTIVE).
 */
export function subscriptionRefusal(subject: Subject): Refused | undefined {
  if (subject.customer?.isBlocked) return refused('FORBIDDEN', 'the customer is blocked');
  if (!subject.chargesCustomer) return undefined;
  const { subscription, tier } = subject;
  if (!subscription || !tier) return refused('SUBSCRIPTION_INACTIVE', 'the customer has no subscription');
  if (!ACTIVE.has(subscription.status))
    return refused('SUBSCRIPTION_INACTIVE', `the customer's subscription is ${subscription.status}`);
  if (tier.isPaid && !subscription.hasProviderSubscription && subscription.billingProvider !== 'external') {
    return refused('SUBSCRIPTION_INACTIVE', 'the paid tier has no active payment');
  }
  return undefined;
}

/** Returns the named model, or the tier's default model. */
export function requestedModel(subject: Subject, named: string): string | Refused {
  if (named) return named;
  return subject.tier?.defaultModel ?? refused('INVALID_INPUT', 'model is required');
}

/** Plans who pays what. Balances are checked later, under lock. `model` is undefined if the catalog does not have it. */
export function planAdmission(
  subject: Subject,
  requested: string,
  model: PlannedModel | undefined,
  input: AdmissionInput,
): AdmissionPlan | Refused {
  if (!model) return refused('INVALID_INPUT', `unknown model: ${requested}`);
  const tierPrice = subject.chargesCustomer ? subject.tier?.models.get(model.modelId) : undefined;
  if (subject.chargesCustomer && !tierPrice)
    return refused('FORBIDDEN', `model ${model.modelId} is not part of the customer's tier`);
  if (input.kind === 'images' && input.images < 1) return refused('INVALID_INPUT', 'at least one image is required');
  if (input.kind === 'text' ? !model.isPricedFor.tokens : !model.isPricedFor.images) {
    return refused('INVALID_INPUT', `model ${model.modelId} has no price for this kind of request`);
  }
  const customerPrice = tierPrice && {
    inputPerMillionCents: tierPrice.inputPerMillionCents,
    outputPerMillionCents: tierPrice.outputPerMillionCents,
    perImageCents: tierPrice.perImageCents ?? model.price.perImageCents,
    cachedInputPerMillionCents: tierPrice.cachedInputPerMillionCents,
    feeMarkup: tierPrice.feeMarkup,
  };
  const { kind, inputTokensEstimate, extras = NO_EXTRAS } = input;
  const bound = kind === 'text' ? model.toPriceBound(inputTokensEstimate, extras) : undefined;
  const providerPrice = { ...model.price, bound };
  const { outputTokensWanted, outputTokensMin } =
    input.kind === 'images'
      ? { outputTokensWanted: 0n, outputTokensMin: 0n }
      : outputTokens(input.maxOutputTokens, model.outputBounds, input.answers);
  const plan = {
    modelId: model.modelId,
    customerPrice,
    providerPrice,
    inputTokens: BigInt(input.inputTokensEstimate),
    images: BigInt(input.images),
    feeMicrocents: kind === 'text' ? model.toFeeMicrocents(extras) : 0n,
    isEstimateLoose: input.isEstimateLoose === true,
    ...(input.ownConnections && { ownConnections: input.ownConnections }),
    outputTokensWanted,
    // A loose estimate is admitted in full or refused; it must not cut the output.
    outputTokensMin: input.isEstimateLoose ? outputTokensWanted : outputTokensMin,
    payers: toPayers(subject.accounts, customerPrice, providerPrice, model.quotaUnits),
  };
  if (isBeyondBounds(plan)) return refused('INVALID_INPUT', 'the request exceeds the maximum size of a request');
  return plan;
}

/** Returns true for requests so large that a few of them would overflow an account's sums. */
export function isBeyondBounds(plan: AdmissionPlan): boolean {
  const { inputTokens, outputTokensWanted, images, feeMicrocents, providerPrice, customerPrice } = plan;
  if (inputTokens > TOKENS_PER_CALL_MAX || images > IMAGES_MAX) return true;
  const most = { inputTokens, outputTokens: outputTokensWanted, images, feeMicrocents };
  return [providerPrice, customerPrice].some(
    (price) => price && maxCostMicrocents(price, most) > REQUEST_MICROCENTS_MAX,
  );
}

/** Returns the maximum charge to a payer for this output, in microcents or units. */
export function payerCost(plan: AdmissionPlan, payer: Payer, outputTokens: bigint): bigint {
  if ('units' in payer) return payer.units;
  const { inputTokens, images, feeMicrocents } = plan;
  return maxCostMicrocents(payer.price, { inputTokens, outputTokens, images, feeMicrocents });
}

/** Returns the legs for the case that each payer's first limit covers the full amount, as the batched fast path assumes. */
export function optimisticLegs(plan: AdmissionPlan): HoldLeg[] {
  return plan.payers.flatMap((payer) => {
    const [first] = payer.limits;
    const amount = payerCost(plan, payer, plan.outputTokensWanted);
    return amount > 0n ? [{ role: first.role, account: first.account, amount }] : [];
  });
}

/** Bounds the output: a named maximum is held in full or refused; without one, the usual output may be cut to a minimum. `answers` have these bounds each. */
export function outputTokens(
  named: number | undefined,
  { max, usual }: OutputBounds,
  answers = 1,
): Pick<AdmissionPlan, 'outputTokensWanted' | 'outputTokensMin'> {
  const wanted = Math.min(named ?? usual * answers, max * answers);
  const min = named === undefined ? Math.min(OUTPUT_TOKENS_MIN * answers, wanted) : wanted;
  return { outputTokensWanted: BigInt(wanted), outputTokensMin: BigInt(min) };
}

/** Groups the limits that apply by payer, in the order in which a refusal names them (DECISIONS 3.1). */
export function toPayers(
  limits: Subject['accounts'],
  customerPrice: Price | undefined,
  providerPrice: Price,
  quotaUnits: bigint,
): Payer[] {
  const payers: Payer[] = [];
  const add = (roles: readonly LimitRole[], toPayer: (limits: Payer['limits']) => Payer): void => {
    const [first, ...others] = roles.flatMap((role) => {
      const account = limits[role];
      return account === undefined ? [] : [{ role, account }];
    });
    if (first) payers.push(toPayer([first, ...others]));
  };
  if (customerPrice) add(CUSTOMER_ROLES, (limits) => ({ limits, price: customerPrice }));
  for (const role of OWNER_ROLES) add([role], (limits) => ({ limits, price: providerPrice }));
  if (quotaUnits > 0n) add(['quota'], (limits) => ({ limits, units: quotaUnits }));
  return payers;
}

function refused(code: string, message: string): Refused {
  return { kind: 'refused', code, message };
}

export function isRefused(value: unknown): value is Refused {
  return typeof value === 'object' && value !== null && (value as Refused).kind === 'refused';
}
