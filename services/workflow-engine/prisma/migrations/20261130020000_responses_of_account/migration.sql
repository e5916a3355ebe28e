-- no transaction
-- background_responses_claimable and background_responses_running have replaced it.
DROP INDEX CONCURRENTLY IF EXISTS background_responses_account;
