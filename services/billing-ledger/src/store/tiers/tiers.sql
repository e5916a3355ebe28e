-- name: put_tier_models :exec
-- Writes the models of a tier; models that remain keep their id and creation time.
-- pack models: id uuid, model_id text, input_price bigint, output_price bigint, image_price bigint?, cached_price bigint?
-- pack models: fee_markup float8?, is_default bool
INSERT INTO tier_models (id, tier_id, model_id, input_price_per_million_cents, output_price_per_million_cents,
  price_per_image_cents, is_default, fee_markup_percentage, cached_input_price_per_million_cents)
SELECT id, :tier_id, model_id, input_price, output_price, image_price, is_default, fee_markup, cached_price
FROM :models AS m
ON CONFLICT (tier_id, model_id) DO UPDATE SET
  input_price_per_million_cents = excluded.input_price_per_million_cents,
  output_price_per_million_cents = excluded.output_price_per_million_cents,
  price_per_image_cents = excluded.price_per_image_cents, is_default = excluded.is_default,
  fee_markup_percentage = excluded.fee_markup_percentage,
  cached_input_price_per_million_cents = excluded.cached_input_price_per_million_cents, updated_at = now();

-- name: insert_tier_row :exec
INSERT INTO tiers (id, project_id, tier_code, display_name, billing_mode, spend_limit_cents, billing_provider,
  billing_price_ref, price_amount_cents, price_currency, price_interval, trial_days, promo_credits_cents,
  customer_token_max_ttl_seconds, rate_limit_per_minute, overage_enabled, is_default, visibility, sort_order, features,
  plan_group, allow_promotion_codes)
VALUES (:id, :project_id, :tier_code, :display_name, :billing_mode, :spend_limit_cents?, :billing_provider?,
  :billing_price_ref?, :price_amount_cents?, :price_currency?, :price_interval?, :trial_days?, :promo_credits_cents?,
  :customer_token_max_ttl_seconds?, :rate_limit_per_minute?, :overage_enabled, :is_default, :visibility, :sort_order, :features,
  :plan_group?, :allow_promotion_codes);

-- name: change_tier_row :exec
UPDATE tiers
SET tier_code = :tier_code, display_name = :display_name, billing_mode = :billing_mode, spend_limit_cents = :spend_limit_cents?,
  billing_provider = :billing_provider?, billing_price_ref = :billing_price_ref?, price_amount_cents = :price_amount_cents?,
  price_currency = :price_currency?, price_interval = :price_interval?, trial_days = :trial_days?,
  promo_credits_cents = :promo_credits_cents?, customer_token_max_ttl_seconds = :customer_token_max_ttl_seconds?,
  rate_limit_per_minute = :rate_limit_per_minute?, overage_enabled = :overage_enabled, is_default = :is_default,
  visibility = :visibility, sort_order = :sort_order, features = :features, plan_group = :plan_group?,
  allow_promotion_codes = :allow_promotion_codes, updated_at = now()
WHERE id = :id
