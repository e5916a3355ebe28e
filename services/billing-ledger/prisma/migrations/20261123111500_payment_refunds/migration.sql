-- Refunds that owners request. The row is written before the processor is called, and its id is the idempotency key of
-- the call. While it is pending, its amount is part of the wallet's `held`, so that it cannot be spent.
CREATE TABLE payment_refunds (
  id               uuid PRIMARY KEY,
  order_id         uuid NOT NULL,
  -- the wallet that was topped up
  account_id       bigint NOT NULL,
  owner_account_id uuid NOT NULL,
  -- the caller's idempotency key
  cause            text NOT NULL,
  amount_cents     bigint NOT NULL CHECK (amount_cents > 0),
  -- pending, succeeded, failed
  status           text NOT NULL DEFAULT 'pending',
  failure          text,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  ended_at         timestamptz(3),
  -- pending: when to ask the processor, in case its response was lost
  check_at         timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX payment_refunds_order_id_cause_key ON payment_refunds (order_id, cause);
CREATE INDEX payment_refunds_check_at_idx ON payment_refunds (check_at) WHERE status = 'pending';
CREATE INDEX payment_refunds_account_id_idx ON payment_refunds (account_id) WHERE status = 'pending';
CREATE INDEX payment_refunds_owner_account_id_idx ON payment_refunds (owner_account_id) WHERE status = 'pending';
