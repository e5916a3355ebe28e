-- no transaction
-- The accounts and callers whose lines run.
CREATE INDEX CONCURRENTLY IF NOT EXISTS batches_running
  ON batches (account_id, (coalesce(customer_id, project_id)), batch_id) WHERE ended_at IS NULL AND status = 'in_progress';
