-- Rounded to milliseconds, now() may lie in the future: a worker that looks at once would leave the new row for its next pass.
ALTER TABLE background_responses ALTER COLUMN due_at SET DEFAULT date_trunc('milliseconds', now());
ALTER TABLE batch_lines ALTER COLUMN due_at SET DEFAULT date_trunc('milliseconds', now());
ALTER TABLE run_session_messages ALTER COLUMN due_at SET DEFAULT date_trunc('milliseconds', now());
