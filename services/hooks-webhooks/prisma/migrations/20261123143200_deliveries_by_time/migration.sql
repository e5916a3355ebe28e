-- no transaction
-- Statistics read a webhook's deliveries of a range of time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_webhook_id_created_at_idx ON webhook_deliveries (webhook_id, created_at);
