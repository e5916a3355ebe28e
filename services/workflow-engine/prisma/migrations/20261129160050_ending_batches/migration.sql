-- no transaction
-- The batches that want no answers any more, but may have lost attempts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS batches_ending
  ON batches (batch_id) WHERE ended_at IS NULL AND status NOT IN ('validating', 'in_progress');
