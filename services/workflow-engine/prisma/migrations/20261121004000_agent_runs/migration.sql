-- Time limits of nodes that run through sub-nodes.
ALTER TABLE run_work DROP CONSTRAINT run_work_kind;
ALTER TABLE run_work ADD CONSTRAINT run_work_kind
  CHECK (kind IN ('node', 'run_deadline', 'wait_deadline', 'node_deadline'));

-- What mocks had to do with a tool call, in runs that try an agent out.
ALTER TABLE run_tool_results
  ADD COLUMN mocks_served integer NOT NULL DEFAULT 0,
  ADD COLUMN mock_key     text;
