-- The secret before the last rotation signs beside the current one until then; null = none.
ALTER TABLE webhooks
  ADD COLUMN previous_secret_key_id text,
  ADD COLUMN previous_secret_sealed bytea,
  ADD COLUMN previous_secret_until  timestamptz(3);
