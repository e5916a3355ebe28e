-- The last delivery that a recovery has picked: the next batch begins after it.
ALTER TABLE webhook_recoveries ADD COLUMN cursor_created_at timestamptz(3), ADD COLUMN cursor_id uuid;
-- When its last batch was queued: the recovery that has waited longest is next.
ALTER TABLE webhook_recoveries ADD COLUMN advanced_at timestamptz;
