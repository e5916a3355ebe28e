-- name: put_subscription_state :exec
-- Inserts or replaces the customer's only subscription.
INSERT INTO subscriptions (id, project_id, customer_id, tier_id, billing_provider, billing_customer_id,
  billing_subscription_id, subscription_status, current_period_start, current_period_end, window_period_start,
  window_start, period_anchor, price_tier_id, price_amount_cents, price_currency, price_interval, cancel_at)
VALUES (:id, :project_id, :customer_id, :tier_id, :billing_provider?, :billing_customer_id?,
  :billing_subscription_id?, :status, :period_start, :period_end, :period_start,
  :window_start, :period_anchor, :price_tier_id?, :price_amount_cents?, :price_currency?, :price_interval?, :cancel_at?)
ON CONFLICT (customer_id) DO UPDATE SET
  tier_id = excluded.tier_id, billing_provider = excluded.billing_provider,
  billing_customer_id = excluded.billing_customer_id, billing_subscription_id = excluded.billing_subscription_id,
  subscription_status = excluded.subscription_status, current_period_start = excluded.current_period_start,
  current_period_end = excluded.current_period_end, window_period_start = excluded.window_period_start,
  window_start = excluded.window_start, period_anchor = excluded.period_anchor,
  price_tier_id = excluded.price_tier_id, price_amount_cents = excluded.price_amount_cents,
  price_currency = excluded.price_currency, price_interval = excluded.price_interval,
  cancel_at = excluded.cancel_at, updated_at = now()
