-- no transaction
-- Expired images whose files are still there. The index on expires_at alone also holds those of a month without files; it
-- stays until no running version needs it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "images_expiring_idx" ON "images"("expires_at") WHERE "deleted_at" IS NULL;
