import { IMAGES_MAX, REQUEST_MICROCENTS_MAX, TOKENS_PER_CALL_MAX } from './plausible-usage.js';
import type { Price } from './price.js';
import { costMicrocents } from './price.js';
import { isCustomers, LIMIT_ROLES, type LimitRole, type Subject } from './subject.js';

/** Bounds of a model's answers, in tokens. */
export interface OutputBounds {
  max: number;
  /** Held for when the client names no maximum; more would reserve funds that nearly no answer uses. */
  usual: number;
}

/** What the catalog says of a model. */
export interface PlannedModel {
  modelId: string;
  outputBounds: OutputBounds;
  price: Price;
  /** Units of the account's quota that a request counts for. */
  quotaUnits: bigint;
  isPricedFor: { tokens: boolean; images: boolean };
}

export interface AdmissionInput {
  kind: 'text' | 'images';
  inputTokensEstimate: number;
  /** Absent: as much as the model allows and the funds cover. */
  maxOutputTokens: number | undefined;
  images: number;
  /** The input is counted more exactly when it does not fit like this. */
  isEstimateLoose?: boolean;
}

/**
 * One side that pays: the customer at the tier's price, the owner's limits at the provider's; or a limit that counts
 * units instead of money.
 */
export type Payer = { roles: readonly LimitRole[] } & ({ price: Price } | { units: bigint });

export interface AdmissionPlan {
  modelId: string;
  customerPrice: Price | undefined;
  providerPrice: Price;
  inputTokens: bigint;
  images: bigint;
  isEstimateLoose: boolean;
  /** Output to hold for when everything fits. */
  outputTokensWanted: bigint;
  /** Fewest that are still worth a request; equals the wish where the client named it. */
  outputTokensMin: bigint;
  payers: readonly Payer[];
}

export interface Refused {
  kind: 'refused';
  code: string;
  message: string;
  /** What was asked of the limit that refused, and what it had; absent when no limit was looked at. */
  shortage?: Shortage;
  /** The estimate was loose, and the limit has something left: an exact count may fit. */
  mayFitCounted?: boolean;
}

export interface Shortage {
  role: LimitRole;
  account: bigint;
  /** The least that the request needs. */
  required: bigint;
  /** Of all limits behind the payer. Below zero when more is held than there is. */
  available: bigint;
}

/** Below this an unbounded request is refused rather than cut short. */
export const OUTPUT_TOKENS_MIN = 256;

const ACTIVE = new Set(['active', 'trialing', 'past_due']);

/** SPEC "Billing admission refusals", SUBSCRIPTION_INACTIVE: none, inactive, or a paid tier that nobody pays for. */
export function subscriptionRefusal(subject: Subject): Refused | undefined {
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

/** Which model a request means: the named one, or the tier's default. */
export function requestedModel(subject: Subject, named: string): string | Refused {
  if (named) return named;
  return subject.tier?.defaultModel ?? refused('INVALID_INPUT', 'model is required');
}

/** Who would pay what; balances are looked at later, under lock. `model` is undefined when the catalog has none. */
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
    ...tierPrice,
    perImageCents: tierPrice.perImageCents ?? model.price.perImageCents,
  };
  const tokens =
    input.kind === 'images'
      ? { outputTokensWanted: 0n, outputTokensMin: 0n }
      : outputTokens(input.maxOutputTokens, model.outputBounds);
  // Output is not cut for the sake of an estimate.
  if (input.isEstimateLoose) tokens.outputTokensMin = tokens.outputTokensWanted;
  const plan = {
    modelId: model.modelId,
    customerPrice,
    providerPrice: model.price,
    inputTokens: BigInt(input.inputTokensEstimate),
    images: BigInt(input.images),
    isEstimateLoose: input.isEstimateLoose === true,
    ...tokens,
    payers: payersOf(subject.accounts, customerPrice, model.price, model.quotaUnits),
  };
  if (isBeyondBounds(plan)) return refused('INVALID_INPUT', 'the request is larger than any request may be');
  return plan;
}

/** No account could hold it: its sums, or those of a few such requests, would leave the range of their columns. */
export function isBeyondBounds({ inputTokens, outputTokensWanted, images, ...prices }: AdmissionPlan): boolean {
  if (inputTokens > TOKENS_PER_CALL_MAX || images > IMAGES_MAX) return true;
  const most = { inputTokens, outputTokens: outputTokensWanted, images };
  return [prices.providerPrice, prices.customerPrice].some(
    (price) => price && costMicrocents(price, most) > REQUEST_MICROCENTS_MAX,
  );
}

/** What a payer would be held for at most, for so much output: microcents, or units. */
export function payerCost(plan: AdmissionPlan, payer: Payer, outputTokens: bigint): bigint {
  if ('units' in payer) return payer.units;
  return costMicrocents(payer.price, { inputTokens: plan.inputTokens, outputTokens, images: plan.images });
}

/** A named maximum is wanted in full; without one, what is usual, and at least what is worth a request. */
export function outputTokens(
  named: number | undefined,
  { max, usual }: OutputBounds,
): Pick<AdmissionPlan, 'outputTokensWanted' | 'outputTokensMin'> {
  const wanted = Math.min(named ?? usual, max);
  const min = named === undefined ? Math.min(OUTPUT_TOKENS_MIN, wanted) : wanted;
  return { outputTokensWanted: BigInt(wanted), outputTokensMin: BigInt(min) };
}

/** Every limit that applies, by who pays; in the order in which a refusal names them (DECISIONS 3.1). */
export function payersOf(
  limits: Subject['accounts'],
  customerPrice: Price | undefined,
  providerPrice: Price,
  quotaUnits: bigint,
): Payer[] {
  const customerRoles = LIMIT_ROLES.filter((role) => isCustomers(role) && limits[role] !== undefined);
  const payers: Payer[] = [];
  if (customerPrice && customerRoles.length > 0) payers.push({ price: customerPrice, roles: customerRoles });
  for (const role of ['key', 'owner', 'daily_cap'] as const) {
    if (limits[role] !== undefined) payers.push({ price: providerPrice, roles: [role] });
  }
  if (limits.quota !== undefined && quotaUnits > 0n) payers.push({ units: quotaUnits, roles: ['quota'] });
  return payers;
}

function refused(code: string, message: string): Refused {
  return { kind: 'refused', code, message };
}

export function isRefused(value: unknown): value is Refused {
  return typeof value === 'object' && value !== null && (value as Refused).kind === 'refused';
}
