-- What is left of a large head once the response has ended without an answer; null when all of it is.
ALTER TABLE background_responses ADD COLUMN ended_head text;
-- What a project has that has ended. Their `bytes` are those that they still store.
CREATE INDEX background_responses_project
  ON background_responses (project_id, ended_at) INCLUDE (bytes) WHERE ended_at IS NOT NULL;
