-- Prices of tiers are made at the processor. Tiers from before the update have none that we made, until they are saved again.
ALTER TABLE tiers
  ADD COLUMN price_sync text,
  ADD COLUMN price_sync_failure text,
  ADD COLUMN price_sync_at timestamptz(3),
  ADD COLUMN price_sync_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN price_version integer NOT NULL DEFAULT 0,
  ADD COLUMN product_ref text;
