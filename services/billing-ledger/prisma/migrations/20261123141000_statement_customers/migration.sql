-- no transaction
-- Statements include the wallets of deleted customers.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deleted_customers_project_id_idx ON deleted_customers (project_id);
