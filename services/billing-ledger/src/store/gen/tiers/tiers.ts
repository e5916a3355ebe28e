// Generated from tiers/tiers.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `models`. */
export interface PutTierModelsModelsRow {
  id: string;
  modelId: string;
  inputPrice: bigint | number;
  outputPrice: bigint | number;
  imagePrice: bigint | number | null | undefined;
  cachedPrice: bigint | number | null | undefined;
  feeMarkup: string | null | undefined;
  isDefault: boolean;
}

export interface PutTierModelsInput {
  tierId: string;
  models: readonly PutTierModelsModelsRow[];
}

const PUT_TIER_MODELS = `
  INSERT INTO tier_models (id, tier_id, model_id, input_price_per_million_cents, output_price_per_million_cents,
    price_per_image_cents, is_default, fee_markup_percentage, cached_input_price_per_million_cents)
  SELECT id, $1, model_id, input_price, output_price, image_price, is_default, fee_markup, cached_price
  FROM (SELECT ($7::uuid[])[nth.i] AS id, nth.model_id, ($8::bigint[])[nth.i][1] AS input_price, ($8::bigint[])[nth.i][2] AS output_price, nth.image_price, nth.cached_price, nth.fee_markup::float8 AS fee_markup, nth.is_default FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bool[]) WITH ORDINALITY AS nth (model_id, image_price, cached_price, fee_markup, is_default, i)) AS m
  ON CONFLICT (tier_id, model_id) DO UPDATE SET
    input_price_per_million_cents = excluded.input_price_per_million_cents,
    output_price_per_million_cents = excluded.output_price_per_million_cents,
    price_per_image_cents = excluded.price_per_image_cents, is_default = excluded.is_default,
    fee_markup_percentage = excluded.fee_markup_percentage,
    cached_input_price_per_million_cents = excluded.cached_input_price_per_million_cents, updated_at = now()`;

/** Writes the models of a tier; models that remain keep their id and creation time. */
export async function putTierModels(db: Queryable, input: PutTierModelsInput): Promise<void> {
  await db.query({
    name: 'put_tier_models',
    text: PUT_TIER_MODELS,
    values: [
      input.tierId,
      textArray(input.models.map((r) => r.modelId)),
      binaryArray('bigint', input.models.map((r) => r.imagePrice)),
      binaryArray('bigint', input.models.map((r) => r.cachedPrice)),
      textArray(input.models.map((r) => r.feeMarkup)),
      binaryArray('bool', input.models.map((r) => r.isDefault)),
      uuidArray(input.models, [(r) => r.id]),
      bigintArray(input.models, [(r) => r.inputPrice, (r) => r.outputPrice]),
    ],
  });
}

export interface InsertTierRowInput {
  id: string;
  projectId: string;
  tierCode: string;
  displayName: string;
  billingMode: string;
  spendLimitCents: bigint | number | null;
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents: bigint | number | null;
  priceCurrency: string | null;
  priceInterval: string | null;
  trialDays: number | null;
  promoCreditsCents: bigint | number | null;
  customerTokenMaxTtlSeconds: bigint | number | null;
  rateLimitPerMinute: number | null;
  overageEnabled: boolean;
  isDefault: boolean;
  visibility: string;
  sortOrder: number;
  features: readonly (string | null)[];
  planGroup: string | null;
  allowPromotionCodes: boolean;
}

const INSERT_TIER_ROW = `
  INSERT INTO tiers (id, project_id, tier_code, display_name, billing_mode, spend_limit_cents, billing_provider,
    billing_price_ref, price_amount_cents, price_currency, price_interval, trial_days, promo_credits_cents,
    customer_token_max_ttl_seconds, rate_limit_per_minute, overage_enabled, is_default, visibility, sort_order, features,
    plan_group, allow_promotion_codes)
  VALUES ($1, $2, $3, $4, $5, $6, $7,
    $8, $9, $10, $11, $12, $13,
    $14, $15, $16, $17, $18, $19, $20,
    $21, $22)`;

export async function insertTierRow(db: Queryable, input: InsertTierRowInput): Promise<void> {
  await db.query({
    name: 'insert_tier_row',
    text: INSERT_TIER_ROW,
    values: [
      input.id,
      input.projectId,
      input.tierCode,
      input.displayName,
      input.billingMode,
      input.spendLimitCents,
      input.billingProvider,
      input.billingPriceRef,
      input.priceAmountCents,
      input.priceCurrency,
      input.priceInterval,
      input.trialDays,
      input.promoCreditsCents,
      input.customerTokenMaxTtlSeconds,
      input.rateLimitPerMinute,
      input.overageEnabled,
      input.isDefault,
      input.visibility,
      input.sortOrder,
      input.features,
      input.planGroup,
      input.allowPromotionCodes,
    ],
  });
}

export interface ChangeTierRowInput {
  tierCode: string;
  displayName: string;
  billingMode: string;
  spendLimitCents: bigint | number | null;
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents: bigint | number | null;
  priceCurrency: string | null;
  priceInterval: string | null;
  trialDays: number | null;
  promoCreditsCents: bigint | number | null;
  customerTokenMaxTtlSeconds: bigint | number | null;
  rateLimitPerMinute: number | null;
  overageEnabled: boolean;
  isDefault: boolean;
  visibility: string;
  sortOrder: number;
  features: readonly (string | null)[];
  planGroup: string | null;
  allowPromotionCodes: boolean;
  id: string;
}

const CHANGE_TIER_ROW = `
  UPDATE tiers
  SET tier_code = $1, display_name = $2, billing_mode = $3, spend_limit_cents = $4,
    billing_provider = $5, billing_price_ref = $6, price_amount_cents = $7,
    price_currency = $8, price_interval = $9, trial_days = $10,
    promo_credits_cents = $11, customer_token_max_ttl_seconds = $12,
    rate_limit_per_minute = $13, overage_enabled = $14, is_default = $15,
    visibility = $16, sort_order = $17, features = $18, plan_group = $19,
    allow_promotion_codes = $20, updated_at = now()
  WHERE id = $21`;

export async function changeTierRow(db: Queryable, input: ChangeTierRowInput): Promise<void> {
  await db.query({
    name: 'change_tier_row',
    text: CHANGE_TIER_ROW,
    values: [
      input.tierCode,
      input.displayName,
      input.billingMode,
      input.spendLimitCents,
      input.billingProvider,
      input.billingPriceRef,
      input.priceAmountCents,
      input.priceCurrency,
      input.priceInterval,
      input.trialDays,
      input.promoCreditsCents,
      input.customerTokenMaxTtlSeconds,
      input.rateLimitPerMinute,
      input.overageEnabled,
      input.isDefault,
      input.visibility,
      input.sortOrder,
      input.features,
      input.planGroup,
      input.allowPromotionCodes,
      input.id,
    ],
  });
}
