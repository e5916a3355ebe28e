import type { components } from '../../gen/schema.js';

type Schemas = components['schemas'];
export type Tier = Schemas['Tier'];
/** A tier as a file has it: what its owner decides, without ids and times. */
export type TierFile = Schemas['CreateTierRequest'];

const FIELDS = [
  'tier_code',
  'display_name',
  'billing_mode',
  'spend_limit_cents',
  'billing_provider',
  'billing_price_ref',
  'price_amount_cents',
  'price_currency',
  'price_interval',
  'trial_days',
  'promo_credits_cents',
  'customer_token_max_ttl_seconds',
  'rate_limit_per_minute',
  'overage_enabled',
  'is_default',
  'visibility',
  'sort_order',
  'features',
  'group',
  'allow_promotion_codes',
] as const satisfies readonly (keyof TierFile & keyof Tier)[];

const MODEL_FIELDS = [
  'model_id',
  'is_default',
  'input_price_per_million_cents',
  'output_price_per_million_cents',
  'cached_input_price_per_million_cents',
  'price_per_image_cents',
  'fee_markup_percentage',
] as const satisfies readonly (keyof Schemas['TierModelInput'] & keyof Schemas['TierModel'])[];

export const FILE_FIELDS: ReadonlySet<string> = new Set([...FIELDS, 'models']);

export function toTierFile(tier: Tier): TierFile {
  const models = tier.models.map((model) => pick(model, MODEL_FIELDS));
  const file = { ...pick(tier, FIELDS), models } as TierFile;
  // A price that Tollgate made belongs to this tier; another project's tier gets one of its own.
  if (tier.price_sync !== undefined) delete file.billing_price_ref;
  return file;
}

function pick<T extends object, K extends keyof T>(value: T, fields: readonly K[]): Partial<Pick<T, K>> {
  const entries = fields.filter((field) => value[field] !== undefined).map((field) => [field, value[field]]);
  return Object.fromEntries(entries) as Partial<Pick<T, K>>;
}
