-- no transaction
-- Recoveries read the failed deliveries of a webhook. Few deliveries are in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_failed_idx ON webhook_deliveries (webhook_id, created_at)
  WHERE status = 'failed';
