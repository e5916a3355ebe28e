-- no transaction
-- images_expiring_idx has replaced it.
DROP INDEX CONCURRENTLY IF EXISTS images_expires_at_idx;
