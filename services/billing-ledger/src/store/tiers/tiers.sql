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
  cached_input_price_per_million_cents = excluded.cached_input_price_per_million_cents, updated_at = now()
