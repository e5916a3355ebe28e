-- no transaction
-- The ledger stores no reported payment before this index exists.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS payment_orders_processor_ref_key ON payment_orders (processor_ref)
  WHERE processor_ref IS NOT NULL;
