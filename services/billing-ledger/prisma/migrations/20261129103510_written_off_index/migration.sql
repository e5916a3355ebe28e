-- no transaction
-- Used by reports; no request writes to this index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS transfers_written_off_idx ON transfers (occurred_at)
  WHERE kind IN ('written_off', 'write_off_returned');
