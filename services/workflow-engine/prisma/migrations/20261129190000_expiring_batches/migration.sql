-- no transaction
-- The batches whose window can end.
CREATE INDEX CONCURRENTLY IF NOT EXISTS batches_expiring
  ON batches (expires_at) WHERE ended_at IS NULL AND status IN ('validating', 'in_progress');
