-- null = free text; `json`, not `jsonb`, for the order of keys.
ALTER TABLE "agent_revisions" ADD COLUMN "input_schema" JSON;
