-- no transaction
-- Deletes the unknown costs of a run with the run.
CREATE INDEX CONCURRENTLY IF NOT EXISTS run_unknown_costs_run ON run_unknown_costs (run_id);
