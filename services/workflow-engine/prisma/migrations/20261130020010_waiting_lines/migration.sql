-- no transaction
-- batch_lines_claimable and batch_lines_due_accounts have replaced it.
DROP INDEX CONCURRENTLY IF EXISTS batch_lines_due;
