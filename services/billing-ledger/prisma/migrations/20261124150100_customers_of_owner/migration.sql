-- no transaction
-- Finds out whether an owner account has customers, once, when it is assigned to a database.
CREATE INDEX CONCURRENTLY IF NOT EXISTS customers_account_id_idx ON customers (account_id);
