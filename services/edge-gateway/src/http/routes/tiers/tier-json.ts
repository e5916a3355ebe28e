import type { MessageInitShape } from '@bufbuild/protobuf';
import type { tierUpdateSchema } from '@tollgate/api/billing';
import type { CreateTierRequestSchema, Tier, TierModel } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { z } from 'zod';
import { timeJson } from '../customers/customer-json.js';

/** Settings of a model in a tier. */
const MODEL_FIELDS = [
  'is_default',
  'input_price_per_million_cents',
  'output_price_per_million_cents',
  'cached_input_price_per_million_cents',
  'price_per_image_cents',
  'fee_markup_percentage',
] as const;

type Visibility = 'portal' | 'link' | 'private';

const number = (value: bigint | undefined) => (value === undefined ? undefined : Number(value));

/** Renders `spend_limit_cents: null` for a subscription tier without a limit, and no such field for a PAYGO tier. */
export function tierJson(tier: Tier) {
  return {
    id: tier.id,
    project_id: tier.projectId,
    tier_code: tier.tierCode,
    display_name: tier.displayName,
    billing_mode: tier.billingMode,
    ...(tier.billingMode === 'subscription' && { spend_limit_cents: number(tier.spendLimitCents) ?? null }),
    models: tier.models.map(modelJson),
    billing_provider: tier.billingProvider || undefined,
    billing_price_ref: tier.billingPriceRef || undefined,
    price_sync: tier.priceSync || undefined,
    price_sync_failure: tier.priceSyncFailure || undefined,
    price_amount_cents: number(tier.priceAmountCents),
    price_currency: tier.priceCurrency || undefined,
    price_interval: tier.priceInterval || undefined,
    trial_days: tier.trialDays,
    promo_credits_cents: number(tier.promoCreditsCents),
    customer_token_max_ttl_seconds: number(tier.customerTokenMaxTtlSeconds),
    rate_limit_per_minute: tier.rateLimitPerMinute,
    overage_enabled: tier.overageEnabled,
    is_default: tier.isDefault,
    // The previous version of the ledger offers each tier.
    visibility: tier.visibility === '' ? 'portal' : (tier.visibility as Visibility),
    sort_order: tier.sortOrder,
    features: tier.features,
    group: tier.planGroup || undefined,
    allow_promotion_codes: tier.allowPromotionCodes,
    created_at: timeJson(tier.createdAt),
    updated_at: timeJson(tier.updatedAt),
  };
}

/** Returns the settings of a tier under flat names, as the audit log compares them: `models.sandbox/echo-1.is_default`. */
export function tierFields(tier: Tier): Record<string, unknown> {
  const { models, updated_at: _, price_sync: _sync, price_sync_failure: _failure, ...settings } = tierJson(tier);
  const prices = models.flatMap((model) =>
    MODEL_FIELDS.map((name) => [`models.${model.model_id}.${name}`, model[name]]),
  );
  return { ...settings, ...Object.fromEntries(prices) };
}

function modelJson(model: TierModel) {
  return {
    id: model.id,
    tier_id: model.tierId,
    model_id: model.modelId,
    model_display_name: model.modelDisplayName,
    description: model.description,
    capabilities: model.capabilities,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    deprecated: model.deprecated,
    input_price_per_million_cents: Number(model.inputPricePerMillionCents),
    output_price_per_million_cents: Number(model.outputPricePerMillionCents),
    cached_input_price_per_million_cents: number(model.cachedInputPricePerMillionCents),
    price_per_image_cents: number(model.pricePerImageCents),
    fee_markup_percentage: model.feeMarkupPercentage,
    is_default: model.isDefault,
    created_at: timeJson(model.createdAt),
    updated_at: timeJson(model.updatedAt),
  };
}

/**
 * Converts a tier's JSON body for the ledger; absent fields stay absent, a null limit means none. `markupPercentage` is
 * the project's markup.
 */
export function tierValues(
  body: z.output<typeof tierUpdateSchema>,
  markupPercentage: number,
): MessageInitShape<typeof CreateTierRequestSchema> {
  const cents = (value: number | null | undefined) =>
    value === undefined || value === null ? undefined : BigInt(value);
  return {
    tierCode: body.tier_code ?? '',
    displayName: body.display_name ?? '',
    billingMode: body.billing_mode ?? '',
    spendLimitCents: cents(body.spend_limit_cents),
    models: (body.models ?? []).map((model) => ({
      modelId: model.model_id,
      isDefault: model.is_default,
      inputPricePerMillionCents: cents(model.input_price_per_million_cents),
      outputPricePerMillionCents: cents(model.output_price_per_million_cents),
      cachedInputPricePerMillionCents: cents(model.cached_input_price_per_million_cents),
      pricePerImageCents: cents(model.price_per_image_cents),
      feeMarkupPercentage: model.fee_markup_percentage,
    })),
    billingProvider: body.billing_provider ?? '',
    billingPriceRef: body.billing_price_ref ?? '',
    priceAmountCents: cents(body.price_amount_cents),
    priceCurrency: body.price_currency ?? '',
    priceInterval: body.price_interval ?? '',
    trialDays: body.trial_days ?? undefined,
    promoCreditsCents: cents(body.promo_credits_cents),
    customerTokenMaxTtlSeconds: cents(body.customer_token_max_ttl_seconds),
    rateLimitPerMinute: body.rate_limit_per_minute ?? undefined,
    overageEnabled: body.overage_enabled ?? false,
    isDefault: body.is_default ?? false,
    visibility: body.visibility ?? '',
    sortOrder: body.sort_order ?? 0,
    features: body.features ?? [],
    planGroup: body.group ?? '',
    allowPromotionCodes: body.allow_promotion_codes ?? false,
    markupPercentage,
  };
}
