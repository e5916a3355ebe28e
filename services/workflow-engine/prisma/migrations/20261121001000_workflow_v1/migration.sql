-- Sub-nodes of a fan-out, retries, and links that are not taken.
ALTER TABLE run_nodes
  ADD COLUMN item_index integer,
  ADD COLUMN attempt    integer NOT NULL DEFAULT 1,
  ADD COLUMN first_step integer NOT NULL DEFAULT 0,
  ADD COLUMN closed_to  text[]  NOT NULL DEFAULT '{}';

-- Results of the tool calls that the engine had executed, each committed with its events.
CREATE TABLE run_tool_results (
  run_id          uuid           NOT NULL,
  node_id         text           NOT NULL,
  step            integer        NOT NULL,
  position        integer        NOT NULL,
  tool_call_id    text           NOT NULL,
  name            text           NOT NULL,
  output          text           NOT NULL,
  error_code      text,
  model_id        text,
  cost_microcents bigint         NOT NULL DEFAULT 0,
  created_at      timestamptz(3) NOT NULL,
  CONSTRAINT run_tool_results_pkey PRIMARY KEY (run_id, node_id, step, position)
);

-- Calls that were cut off: what they cost is asked of the ledger until it knows.
CREATE TABLE run_unknown_costs (
  request_id uuid           NOT NULL,
  run_id     uuid           NOT NULL,
  node_id    text           NOT NULL,
  step       integer        NOT NULL,
  attempt    integer        NOT NULL,
  tries      integer        NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL,
  CONSTRAINT run_unknown_costs_pkey PRIMARY KEY (request_id)
);
CREATE INDEX run_unknown_costs_due ON run_unknown_costs (due_at);

-- Fair share: the queue of nodes is walked project by project; alarms, most of them far ahead, stand apart.
DROP INDEX run_work_ready;
CREATE INDEX run_work_ready ON run_work (project_id, run_at, work_id) WHERE lease_until IS NULL AND kind = 'node';
CREATE INDEX run_work_alarms ON run_work (run_at, work_id) WHERE lease_until IS NULL AND kind <> 'node';
CREATE INDEX run_work_held ON run_work (project_id) WHERE lease_until IS NOT NULL;

-- Retention.
CREATE INDEX runs_ended ON runs (ended_at);
ALTER TABLE plans ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX plans_last_used ON plans (last_used_at);
