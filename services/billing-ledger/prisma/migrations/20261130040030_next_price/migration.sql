-- Subscriptions move to another price of their tier with the next renewal.
ALTER TABLE processor_subscriptions
  ADD COLUMN next_price_ref text,
  ADD COLUMN next_price_at timestamptz(3);
