import type { MessageInitShape } from '@bufbuild/protobuf';
import type { tierUpdateSchema } from '@tollgate/api/billing';
import { tierSchema } from '@tollgate/api/billing';
import type { CreateTierRequestSchema, Tier } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { z } from 'zod';
import { toJson } from '../to-json.js';

/** Renders `spend_limit_cents: null` for a subscription tier without a limit, and no such field for a PAYGO tier. */
export function tierJson(tier: Tier) {
  const { billingMode, spendLimitCents: limit, models, planGroup, visibility } = tier;
  return toJson(tierSchema, tier, {
    spend_limit_cents: billingMode === 'subscription' ? (limit === undefined ? null : Number(limit)) : undefined,
    models: models.map((model) => toJson(tierSchema.shape.models.element, model, {})),
    // The previous version of the ledger offers each tier.
    visibility: visibility || 'portal',
    group: planGroup || undefined,
  });
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
