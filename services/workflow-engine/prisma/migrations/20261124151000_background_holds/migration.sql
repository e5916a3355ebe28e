-- A hold expires this long after its last report of progress; while its response waits, the engine sends one when it is due.
ALTER TABLE background_responses
  ADD COLUMN hold_ttl_ms integer NOT NULL DEFAULT 60000,
  ADD COLUMN hold_due_at timestamptz(3) NOT NULL DEFAULT now();
CREATE INDEX background_responses_holds ON background_responses (hold_due_at) WHERE ended_at IS NULL AND NOT is_dispatched;
