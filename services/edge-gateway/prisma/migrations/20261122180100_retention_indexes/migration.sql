-- Retention reads these indexes. On a large live database build them first, with the same names and CONCURRENTLY: the
-- migration then skips them.
CREATE INDEX IF NOT EXISTS "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");
-- Partial indexes are invisible to Prisma and to its drift check. Most sources are known ones, which stay for 90 days.
CREATE INDEX IF NOT EXISTS "sign_in_sources_failed_idx" ON "sign_in_sources"("touched_at") WHERE "succeeded_at" IS NULL;
