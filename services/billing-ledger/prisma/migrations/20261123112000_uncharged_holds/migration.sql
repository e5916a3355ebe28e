-- no transaction
-- Lists the requests of an account whose usage no customer paid for. Few requests are in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS holds_uncharged_idx ON holds (owner_account_id, settled_at DESC, request_id DESC)
  WHERE overrun_microcents > 0 OR unreconciled_microcents > 0;
