import type { CreateTierRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { FieldError } from '@tollgate/errors';
import { findCurrencyDecimals } from '@tollgate/money';
import { isBlank } from './customer-input.js';

const TIER_CODE = /^[a-z][a-z0-9_-]{0,63}$/;
const MODELS_MAX = 200;
const TOKEN_TTL_MAX_SECONDS = 2_592_000n;
const FEE_MARKUP_MAX = 1_000;
const PROVIDERS = new Set(['', 'stripe', 'crypto', 'app_store', 'external']);
const VISIBILITIES = new Set(['portal', 'link', 'private']);
const FEATURES_MAX = 20;
const FEATURE_LENGTH_MAX = 200;
/** The only character that PostgreSQL cannot store. */
const NUL = '\0';

/** Returns all faults of a tier. */
export function tierFaults(tier: CreateTierRequest): FieldError[] {
  const faults: FieldError[] = [];
  const fault = (isFault: boolean, field: string, message: string): void => {
    if (isFault) faults.push({ field, message });
  };
  const isPaygo = tier.billingMode === 'paygo';
  fault(!TIER_CODE.test(tier.tierCode), 'tier_code', 'must match ^[a-z][a-z0-9_-]*$ and have 1 to 64 characters');
  fault(
    isBlank(tier.displayName) || tier.displayName.length > 255,
    'display_name',
    'must have 1 to 255 characters, not only blanks',
  );
  fault(tier.billingMode !== 'subscription' && !isPaygo, 'billing_mode', 'must be subscription or paygo');
  fault(tier.spendLimitCents !== undefined && tier.spendLimitCents < 0n, 'spend_limit_cents', 'must not be negative');
  fault(isPaygo && tier.spendLimitCents !== undefined, 'spend_limit_cents', 'a PAYGO tier has no spend limit');
  fault(isPaygo && tier.priceAmountCents !== undefined, 'price_amount_cents', 'a PAYGO tier has no subscription price');
  fault(isPaygo && tier.overageEnabled, 'overage_enabled', 'is only for subscription tiers');
  fault(!PROVIDERS.has(tier.billingProvider), 'billing_provider', 'must be stripe, crypto, app_store or external');
  fault(tier.priceAmountCents !== undefined && tier.priceAmountCents <= 0n, 'price_amount_cents', 'must be positive');
  faults.push(...paidFaults(tier));
  fault((tier.trialDays ?? 0) < 0 || (tier.trialDays ?? 0) > 730, 'trial_days', 'must be 0 to 730');
  fault((tier.promoCreditsCents ?? 0n) < 0n, 'promo_credits_cents', 'must not be negative');
  const ttl = tier.customerTokenMaxTtlSeconds;
  fault(
    ttl !== undefined && (ttl < 1n || ttl > TOKEN_TTL_MAX_SECONDS),
    'customer_token_max_ttl_seconds',
    'must be 1 to 2592000',
  );
  fault((tier.rateLimitPerMinute ?? 1) < 1, 'rate_limit_per_minute', 'must be at least 1');
  fault(tier.displayName.includes(NUL), 'display_name', 'must not contain NUL');
  fault(tier.billingPriceRef.includes(NUL), 'billing_price_ref', 'must not contain NUL');
  faults.push(...offerFaults(tier), ...modelFaults(tier));
  return faults;
}

/** Fills in the defaults of a paid tier. */
export function withPaidDefaults(tier: CreateTierRequest): CreateTierRequest {
  if (tier.priceAmountCents === undefined) return tier;
  return {
    ...tier,
    billingProvider: tier.billingProvider || 'stripe',
    priceCurrency: tier.priceCurrency || 'usd',
    priceInterval: tier.priceInterval || 'month',
  };
}

/** SPEC "Tier": price reference, currency, interval and trial belong to paid tiers only. */
function paidFaults(tier: CreateTierRequest): FieldError[] {
  if (tier.priceAmountCents === undefined) {
    const given: [string, boolean][] = [
      ['price_currency', tier.priceCurrency !== ''],
      ['price_interval', tier.priceInterval !== ''],
      ['billing_price_ref', tier.billingPriceRef !== ''],
      ['trial_days', (tier.trialDays ?? 0) !== 0],
    ];
    return given
      .filter(([, isGiven]) => isGiven)
      .map(([field]) => ({ field, message: 'is only for paid tiers: set a price' }));
  }
  const faults: FieldError[] = [];
  if (tier.priceInterval !== 'month' && tier.priceInterval !== 'year')
    faults.push({ field: 'price_interval', message: 'must be month or year' });
  const currency = tier.priceCurrency;
  if (currency !== currency.toLowerCase() || findCurrencyDecimals(currency) === undefined)
    faults.push({ field: 'price_currency', message: 'must be the code of a currency in lower case (ISO 4217)' });
  return faults;
}

/** How customers see the tier. */
function offerFaults({
  visibility,
  features,
  planGroup,
  allowPromotionCodes,
  ...tier
}: CreateTierRequest): FieldError[] {
  const faults: FieldError[] = [];
  if (!VISIBILITIES.has(visibility)) faults.push({ field: 'visibility', message: 'must be portal, link or private' });
  if (features.length > FEATURES_MAX)
    faults.push({ field: 'features', message: `must have at most ${FEATURES_MAX} lines` });
  features.forEach((line, i) => {
    if (isBlank(line) || line.length > FEATURE_LENGTH_MAX || line.includes(NUL))
      faults.push({ field: `features[${i}]`, message: `must have 1 to ${FEATURE_LENGTH_MAX} characters` });
  });
  if (planGroup !== '' && !TIER_CODE.test(planGroup))
    faults.push({ field: 'group', message: 'must match ^[a-z][a-z0-9_-]*$ and have 1 to 64 characters' });
  if (allowPromotionCodes && tier.priceAmountCents === undefined)
    faults.push({ field: 'allow_promotion_codes', message: 'is only for paid tiers: set a price' });
  return faults;
}

function modelFaults(tier: CreateTierRequest): FieldError[] {
  const faults: FieldError[] = [];
  if (tier.models.length < 1 || tier.models.length > MODELS_MAX)
    faults.push({ field: 'models', message: `must name 1 to ${MODELS_MAX} models` });
  tier.models.forEach((model, i) => {
    const prices = [
      model.inputPricePerMillionCents,
      model.outputPricePerMillionCents,
      model.cachedInputPricePerMillionCents,
      model.pricePerImageCents,
    ];
    if (prices.some((price) => price !== undefined && price < 0n))
      faults.push({ field: `models[${i}]`, message: 'prices must not be negative' });
    const markup = model.feeMarkupPercentage ?? 0;
    if (!(markup >= 0 && markup <= FEE_MARKUP_MAX))
      faults.push({ field: `models[${i}].fee_markup_percentage`, message: `must be 0 to ${FEE_MARKUP_MAX}` });
  });
  if (tier.models.filter((model) => model.isDefault).length > 1)
    faults.push({ field: 'models', message: 'at most one model can be the default' });
  return faults;
}
