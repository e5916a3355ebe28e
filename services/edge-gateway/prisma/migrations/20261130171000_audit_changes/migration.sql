-- Fields before and after a change.
ALTER TABLE "audit_events" ADD COLUMN IF NOT EXISTS "changes" JSONB;
