import type { Price } from './price.js';
import { costMicrocents } from './price.js';
import type { LimitRole, Subject } from './subject.js';

/** What the catalog says of a model. */
export interface PlannedModel {
  modelId: string;
  maxOutputTokens: number;
  price: Price;
  isPricedFor: { tokens: boolean; images: boolean };
}

export interface AdmissionInput {
  kind: 'text' | 'images';
  inputTokensEstimate: number;
  /** Absent: as much as the model allows and the funds cover. */
  maxOutputTokens: number | undefined;
  images: number;
}

/** One side that pays: the customer at the tier's price, the owner and the key at the provider's. */
export interface Payer {
  price: Price;
  roles: readonly LimitRole[];
}

export interface AdmissionPlan {
  modelId: string;
  customerPrice: Price | undefined;
  providerPrice: Price;
  inputTokens: bigint;
  images: bigint;
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
}

/** Output held for when the client names no maximum; more would reserve funds that nearly no answer uses. */
export const DEFAULT_OUTPUT_TOKENS = 8_192;
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
  const customerPrice = subject.chargesCustomer ? subject.tier?.models.get(model.modelId) : undefined;
  if (subject.chargesCustomer && !customerPrice)
    return refused('FORBIDDEN', `model ${model.modelId} is not part of the customer's tier`);
  if (input.kind === 'text' ? !model.isPricedFor.tokens : !model.isPricedFor.images) {
    return refused('INVALID_INPUT', `model ${model.modelId} has no price for this kind of request`);
  }
  const wanted = BigInt(outputWanted(model, input));
  return {
    modelId: model.modelId,
    customerPrice,
    providerPrice: model.price,
    inputTokens: BigInt(input.inputTokensEstimate),
    images: BigInt(input.images),
    outputTokensWanted: wanted,
    outputTokensMin:
      input.maxOutputTokens === undefined && wanted > BigInt(OUTPUT_TOKENS_MIN) ? BigInt(OUTPUT_TOKENS_MIN) : wanted,
    payers: payersOf(subject, customerPrice, model.price),
  };
}

/** What a payer would be held for at most, for so much output. */
export function payerCost(plan: AdmissionPlan, payer: Payer, outputTokens: bigint): bigint {
  return costMicrocents(payer.price, { inputTokens: plan.inputTokens, outputTokens, images: plan.images });
}

function outputWanted(model: PlannedModel, input: AdmissionInput): number {
  if (input.kind === 'images') return 0;
  return Math.min(input.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS, model.maxOutputTokens);
}

function payersOf(subject: Subject, customerPrice: Price | undefined, providerPrice: Price): Payer[] {
  const payers: Payer[] = [];
  if (customerPrice && subject.tier) payers.push({ price: customerPrice, roles: customerRoles(subject.tier) });
  if (subject.accounts.key !== undefined) payers.push({ price: providerPrice, roles: ['key'] });
  payers.push({ price: providerPrice, roles: ['owner'] });
  return payers;
}

function customerRoles(tier: NonNullable<Subject['tier']>): LimitRole[] {
  if (tier.billingMode === 'paygo') return ['wallet'];
  return tier.overageEnabled ? ['allowance', 'wallet'] : ['allowance'];
}

function refused(code: string, message: string): Refused {
  return { kind: 'refused', code, message };
}

export function isRefused(value: unknown): value is Refused {
  return typeof value === 'object' && value !== null && (value as Refused).kind === 'refused';
}
