-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS processor_subscriptions_next_price_at_idx ON processor_subscriptions (next_price_at)
  WHERE next_price_at IS NOT NULL;
