-- no transaction
-- The accounts with background responses that wait, each with the time of its first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_responses_due_accounts
  ON background_responses (account_id, due_at) WHERE ended_at IS NULL AND lease_until IS NULL;
