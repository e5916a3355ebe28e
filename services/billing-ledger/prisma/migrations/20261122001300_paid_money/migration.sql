-- Whether an account has paid is asked with every subject that is loaded, and its requests debit the same account: payments
-- and what took them back are found without reading past the requests. No request writes these indexes.
CREATE INDEX transfers_paid_idx ON transfers (credit_account) INCLUDE (amount)
  WHERE kind IN ('top_up', 'refund_failed', 'dispute_won');
CREATE INDEX transfers_paid_back_idx ON transfers (debit_account) INCLUDE (amount)
  WHERE kind IN ('refund', 'dispute');
