-- The allowance's window starts before the period if a tier change cut the former period short: its usage counts. The start
-- belongs to the period that starts at window_period_start, because the previous version moves periods without it.
ALTER TABLE subscriptions ADD COLUMN window_start timestamptz(3), ADD COLUMN window_period_start timestamptz(3);

-- Periods end on the day of the month of this time, or on the last day of a shorter month. Null: derived from the period.
ALTER TABLE subscriptions ADD COLUMN period_anchor timestamptz(3);

-- What this customer pays, while the subscription is on the tier price_tier_id; otherwise the tier's price applies.
ALTER TABLE subscriptions ADD COLUMN price_tier_id uuid, ADD COLUMN price_amount_cents bigint,
  ADD COLUMN price_currency text, ADD COLUMN price_interval text;

-- The item of the plan (a subscription may have others), its price, and when the subscription ends or has ended.
ALTER TABLE processor_subscriptions ADD COLUMN item_id text, ADD COLUMN price_ref text, ADD COLUMN price_amount_cents bigint,
  ADD COLUMN price_currency text, ADD COLUMN price_interval text, ADD COLUMN cancel_at timestamptz(3),
  ADD COLUMN ended_at timestamptz(3);
