-- name: read_subject :many
-- Returns a customer with subscription, tier and prices, a row for each model of the tier.
-- type billing_mode: BillingMode from store/subjects/subjects
SELECT c.id AS "id!", c.external_id AS "external_id!", c.project_id AS "project_id!", c.blocked_at IS NOT NULL AS "is_blocked!",
  s.subscription_status, s.billing_provider, s.billing_subscription_id, s.current_period_start AS "current_period_start!",
  s.current_period_end AS "current_period_end!",
  -- The previous version moves periods and leaves `window_start`, which is then void.
  CASE WHEN s.window_period_start = s.current_period_start THEN s.window_start ELSE s.current_period_start END AS "window_start!",
  s.period_anchor,
  -- The interval of the price that the subscription keeps, or else of its tier.
  CASE WHEN s.price_tier_id = s.tier_id THEN s.price_interval ELSE t.price_interval END AS interval,
  t.id AS tier_id, t.tier_code AS "tier_code!", t.billing_mode AS "billing_mode!", t.price_amount_cents,
  t.overage_enabled AS "overage_enabled!", t.spend_limit_cents, m.model_id,
  m.input_price_per_million_cents AS "input_price_per_million_cents!",
  m.output_price_per_million_cents AS "output_price_per_million_cents!", m.price_per_image_cents,
  m.cached_input_price_per_million_cents, m.fee_markup_percentage, m.is_default AS "is_default!"
FROM customers c
LEFT JOIN subscriptions s ON s.customer_id = c.id
LEFT JOIN tiers t ON t.id = s.tier_id
LEFT JOIN tier_models m ON m.tier_id = t.id
WHERE c.id = :customer_id AND c.project_id = :project_id
