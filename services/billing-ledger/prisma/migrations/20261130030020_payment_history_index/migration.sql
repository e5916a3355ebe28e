-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS processor_customers_history_due_at_idx ON processor_customers (history_due_at)
  WHERE history_due_at IS NOT NULL;
