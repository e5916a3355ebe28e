-- no transaction
-- What a claim of lines reads of one batch.
CREATE INDEX CONCURRENTLY IF NOT EXISTS batch_lines_claimable
  ON batch_lines (batch_id, due_at, line) WHERE NOT is_done AND lease_until IS NULL;
