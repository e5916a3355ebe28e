-- no transaction
-- When the first line of an account is due that waits.
CREATE INDEX CONCURRENTLY IF NOT EXISTS batch_lines_due_accounts
  ON batch_lines (account_id, due_at) WHERE NOT is_done AND lease_until IS NULL;
