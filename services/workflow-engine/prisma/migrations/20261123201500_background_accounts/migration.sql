-- What waits and runs of one account.
CREATE INDEX background_responses_account ON background_responses (account_id) WHERE ended_at IS NULL;
-- What a caller has that has ended. Their `bytes` are those that they still store.
CREATE INDEX background_responses_caller
  ON background_responses (coalesce(customer_id, project_id), ended_at) INCLUDE (bytes) WHERE ended_at IS NOT NULL;
-- Ids that were discarded: a creation that comes later must not run.
CREATE INDEX background_responses_discarded ON background_responses (ended_at) WHERE status = 'discarded';
