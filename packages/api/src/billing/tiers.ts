import { z } from 'zod';
import { CENTS_MAX } from '../values/amounts.js';
import { storableText, visibleText } from '../values/text.js';

const cents = z.int().min(0).max(CENTS_MAX);

/** A member that answers have, so that a tier can be sent back as it was read. */
const readOnly = z
  .unknown()
  .optional()
  .transform(() => undefined)
  .describe('of answers; ignored in requests');

export const tierModelInputSchema = z.strictObject({
  model_id: storableText(200).min(1),
  is_default: z.boolean().default(false),
  input_price_per_million_cents: cents.optional(),
  output_price_per_million_cents: cents.optional(),
  cached_input_price_per_million_cents: cents
    .optional()
    .describe('price of input that the provider read from its cache; default: the input price'),
  price_per_image_cents: cents.optional(),
  fee_markup_percentage: z
    .number()
    .min(0)
    .max(1000)
    .optional()
    .describe("added to the provider's fees for searches and runs of code, which no price of tokens changes"),
  id: readOnly,
  tier_id: readOnly,
  model_display_name: readOnly,
  description: readOnly,
  capabilities: readOnly,
  context_window: readOnly,
  max_output_tokens: readOnly,
  deprecated: readOnly,
  created_at: readOnly,
  updated_at: readOnly,
});

/**
 * Checks shapes only, and refuses members that no tier has: a misspelled price would make a free tier. The ledger checks the relations
 * (prices, PAYGO, models) and reports all faults at once.
 */
export const tierInputSchema = z.strictObject({
  tier_code: storableText(64),
  display_name: visibleText(255),
  models: z.array(tierModelInputSchema).max(200),
  billing_mode: z.enum(['subscription', 'paygo']).default('subscription'),
  spend_limit_cents: cents.nullable().optional(),
  billing_provider: z.enum(['stripe', 'crypto', 'app_store', 'external']).optional(),
  billing_price_ref: storableText(255)
    .optional()
    .describe('a recurring price of the payment processor; default: Tollgate makes the price there'),
  price_amount_cents: cents.optional(),
  price_currency: storableText(3).optional(),
  price_interval: z.enum(['month', 'year']).optional(),
  trial_days: z.int().min(0).max(730).optional(),
  promo_credits_cents: cents.optional(),
  customer_token_max_ttl_seconds: z.int().min(1).optional(),
  rate_limit_per_minute: z.int().min(1).max(1_000_000).optional(),
  overage_enabled: z.boolean().default(false),
  is_default: z.boolean().default(false),
  visibility: z
    .enum(['portal', 'link', 'private'])
    .optional()
    .describe('who can choose the tier: every customer (the default), those who know its code, or only you'),
  sort_order: z.int().min(-1_000_000).max(1_000_000).default(0).describe('lists begin with the lowest'),
  features: z.array(visibleText(200)).max(20).default([]).describe('lines that describe the tier to customers'),
  group: storableText(64).optional().describe('tiers with the same group are one plan, with several intervals'),
  allow_promotion_codes: z.boolean().default(false).describe('payers may enter a promotion code of the processor'),
  id: readOnly,
  project_id: readOnly,
  price_sync: readOnly,
  price_sync_failure: readOnly,
  created_at: readOnly,
  updated_at: readOnly,
});

/** Absent fields keep their values; null removes an optional one. A tier without a price is free. */
export const tierUpdateSchema = z.strictObject({
  ...tierInputSchema.partial().shape,
  billing_provider: tierInputSchema.shape.billing_provider.nullable(),
  billing_price_ref: tierInputSchema.shape.billing_price_ref.nullable(),
  price_amount_cents: tierInputSchema.shape.price_amount_cents.nullable(),
  trial_days: tierInputSchema.shape.trial_days.nullable(),
  promo_credits_cents: tierInputSchema.shape.promo_credits_cents.nullable(),
  customer_token_max_ttl_seconds: tierInputSchema.shape.customer_token_max_ttl_seconds.nullable(),
  rate_limit_per_minute: tierInputSchema.shape.rate_limit_per_minute.nullable(),
  billing_mode: z.enum(['subscription', 'paygo']).optional(),
  overage_enabled: z.boolean().optional(),
  is_default: z.boolean().optional(),
  sort_order: z.int().min(-1_000_000).max(1_000_000).optional(),
  features: tierInputSchema.shape.features.unwrap().optional(),
  group: tierInputSchema.shape.group.nullable(),
  allow_promotion_codes: z.boolean().optional(),
});

const timestamp = z.iso.datetime({ offset: true });

export const tierSchema = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  tier_code: z.string(),
  display_name: z.string(),
  billing_mode: z.enum(['subscription', 'paygo']),
  spend_limit_cents: z.int().nullable().optional(),
  models: z.array(
    z.object({
      id: z.uuid(),
      tier_id: z.uuid(),
      model_id: z.string(),
      model_display_name: z.string(),
      description: z.string(),
      capabilities: z.array(z.string()),
      context_window: z.int(),
      max_output_tokens: z.int(),
      deprecated: z.boolean(),
      input_price_per_million_cents: z.int(),
      output_price_per_million_cents: z.int(),
      cached_input_price_per_million_cents: z.int().optional(),
      price_per_image_cents: z.int().optional(),
      fee_markup_percentage: z.number(),
      is_default: z.boolean(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  billing_provider: z.string().optional(),
  billing_price_ref: z.string().optional(),
  price_sync: z
    .enum(['pending', 'ready', 'failed'])
    .optional()
    .describe('of a price that Tollgate makes at the payment processor; the tier can be bought when it is ready'),
  price_sync_failure: z.string().optional().describe('why the price is not made yet'),
  price_amount_cents: z.int().optional(),
  price_currency: z.string().optional(),
  price_interval: z.string().optional(),
  trial_days: z.int().optional(),
  promo_credits_cents: z.int().optional(),
  customer_token_max_ttl_seconds: z.int().optional(),
  rate_limit_per_minute: z.int().optional(),
  overage_enabled: z.boolean(),
  is_default: z.boolean(),
  visibility: z.enum(['portal', 'link', 'private']),
  sort_order: z.int(),
  features: z.array(z.string()),
  group: z.string().optional(),
  allow_promotion_codes: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const priceMigrationInputSchema = z.strictObject({
  preview: z.boolean().default(false).describe('only counts'),
});

export const priceMigrationSchema = z.object({
  preview: z.boolean(),
  subscriptions: z.int(),
  before_cents: z.int().describe('what these subscribers pay together for one interval'),
  after_cents: z.int(),
  currency: z.string(),
  interval: z.string(),
});
