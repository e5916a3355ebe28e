-- The database of each owner account, for a ledger on several databases. Only the first database's table is read. A row is
-- written once and never changed: an owner stays on its database.
CREATE TABLE owner_databases (
  owner_account_id uuid PRIMARY KEY,
  -- a name of LEDGER_DATABASES, or main
  database         text NOT NULL,
  assigned_at      timestamptz(3) NOT NULL DEFAULT now()
);
