-- name: count_other_prices :one
-- Adds up the subscriptions of a tier that pay another price than its present one, in the same currency and interval.
SELECT count(*) AS subscriptions, coalesce(sum(p.price_amount_cents), 0)::bigint AS "beforeCents"
FROM processor_subscriptions p, subscriptions s
WHERE p.tier_id = :tier_id
  AND s.customer_id = p.customer_id AND s.billing_subscription_id = p.id
  AND p.status IN ('active', 'trialing', 'past_due') AND NOT p.cancels_at_period_end
  AND p.price_ref IS DISTINCT FROM :price_ref AND p.price_currency = :currency AND p.price_interval = :interval

-- name: schedule_next_prices :one
-- Schedules the tier's present price for the same subscriptions, shortly before each renewal.
WITH scheduled AS (
  UPDATE processor_subscriptions p
  SET next_price_ref = :price_ref, next_price_at = p.period_end - :lead_ms::bigint * interval '1 millisecond'
  FROM subscriptions s
  WHERE p.tier_id = :tier_id
    AND s.customer_id = p.customer_id AND s.billing_subscription_id = p.id
    AND p.status IN ('active', 'trialing', 'past_due') AND NOT p.cancels_at_period_end
    AND p.price_ref IS DISTINCT FROM :price_ref AND p.price_currency = :currency AND p.price_interval = :interval
  RETURNING p.price_amount_cents
)
SELECT count(*) AS subscriptions, coalesce(sum(price_amount_cents), 0)::bigint AS "beforeCents" FROM scheduled

-- name: take_due_next_prices :many
-- Claims subscriptions that are due to get another price, and schedules the next attempt.
WITH due AS (
  SELECT id FROM processor_subscriptions WHERE next_price_at <= :now::timestamptz ORDER BY next_price_at LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
-- ANY: a join would let the planner read the whole table, because it does not know the limit.
UPDATE processor_subscriptions SET next_price_at = :retry_at
WHERE id = ANY (ARRAY(SELECT id FROM due))
RETURNING id
