-- From the time when a ledger could have several databases. No statement of this version or of commit aff42c9d names it.
DROP TABLE owner_databases;
