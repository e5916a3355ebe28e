-- no transaction
-- What a claim of background responses reads of one caller. The bound of small requests is that of `backgroundLimits`.
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_responses_claimable
  ON background_responses (account_id, (coalesce(customer_id, project_id)), ((bytes > 262144)::int), due_at, id)
  WHERE ended_at IS NULL AND lease_until IS NULL;
