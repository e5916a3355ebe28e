-- no transaction
-- Finds the customers whose changed email the processor does not know yet.
CREATE INDEX CONCURRENTLY IF NOT EXISTS processor_customers_email_due_at_idx ON processor_customers (email_due_at)
  WHERE email_due_at IS NOT NULL;
