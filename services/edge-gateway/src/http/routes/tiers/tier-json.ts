import type { MessageInitShape } from '@bufbuild/protobuf';
import type { tierUpdateSchema } from '@tollgate/api/billing';
import { tierSchema } from '@tollgate/api/billing';
import type { CreateTierRequestSchema, Tier, TierModel } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { z } from 'zod';
import { toJson } from '../to-json.js';

/** Settings of a model in a tier. */
const MODEL_FIELDS = [
  'is_default',
  'input_price_per_million_cents',
  'output_price_per_million_cents',
  'cached_input_price_per_million_cents',
  'price_per_image_cents',
  'fee_markup_percentage',
] as const;

/** Renders `spend_limit_cents: null` for a subscription tier without a limit, and no such field for a PAYGO tier. */
export function tierJson(tier: Tier) {
  const { billingMode, spendLimitCents: limit, models, planGroup, visibility } = tier;
  return toJson(tierSchema, tier, {
    spend_limit_cents: billingMode === 'subscription' ? (limit === undefined ? null : Number(limit)) : undefined,
    models: models.map(modelJson),
    // The previous version of the ledger offers each tier.
    visibility: visibility || 'portal',
    group: planGroup || undefined,
  });
}

/** Returns the settings of a tier under flat names, as the audit log compares them: `models.sandbox/echo-1.is_default`. */
export function tierFields(tier: Tier): Record<string, unknown> {
  const { models: _, updated_at: _at, price_sync: _sync, price_sync_failure: _failure, ...settings } = tierJson(tier);
  const prices = tier.models.flatMap((model) => {
    const json = modelJson(model);
    return MODEL_FIELDS.map((name) => [`models.${model.modelId}.${name}`, json[name]]);
  });
  return { ...settings, ...Object.fromEntries(prices) };
}

function modelJson(model: TierModel) {
  return toJson(tierSchema.shape.models.element, model, {});
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
