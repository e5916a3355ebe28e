-- no transaction
-- What an account and its callers have in progress.
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_responses_running
  ON background_responses (account_id, (coalesce(customer_id, project_id))) WHERE ended_at IS NULL AND lease_until IS NOT NULL;
