-- no transaction
-- The batches that wait for a step, by account, so that accounts take turns.
CREATE INDEX CONCURRENTLY IF NOT EXISTS batches_stepping
  ON batches (account_id, batch_id) WHERE ended_at IS NULL AND status <> 'in_progress';
