-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS tiers_price_sync_at_idx ON tiers (price_sync_at) WHERE price_sync_at IS NOT NULL;
