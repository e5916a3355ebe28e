-- no transaction
-- The worker that deletes rows a month after their files reads this index. Prisma does not see partial indexes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "images_deleted_at_idx" ON "images"("deleted_at") WHERE "deleted_at" IS NOT NULL;
