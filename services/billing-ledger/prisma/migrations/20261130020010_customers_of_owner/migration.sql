-- no transaction
-- Found out whether an owner account has customers, when it was assigned to a database. No statement reads it.
DROP INDEX CONCURRENTLY IF EXISTS customers_account_id_idx;
