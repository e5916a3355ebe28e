-- Retention reads these indexes. On a large live database build them first, with the same names and CONCURRENTLY: the
-- migration then skips them.
CREATE INDEX IF NOT EXISTS hold_parts_created_at_idx ON hold_parts (created_at);
CREATE INDEX IF NOT EXISTS usage_thresholds_announced_at_idx ON usage_thresholds (announced_at) WHERE announced_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS payment_orders_unpaid_ended_at_idx ON payment_orders (ended_at)
  WHERE status IN ('expired', 'failed') AND payment_intent_id IS NULL;

-- Closed months of the journal. A month is a range of transfer ids, so that a transfer that commits late belongs to the
-- open month and no sealed range ever changes.
CREATE TABLE journal_months (
  month          date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  -- the range: after_id < id <= last_id
  after_id       bigint NOT NULL,
  last_id        bigint NOT NULL CHECK (last_id >= after_id),
  state          text NOT NULL DEFAULT 'closing' CHECK (state IN ('closing', 'transfers', 'balances', 'sealed')),
  -- virtual ids of the transactions that could write to the journal when last_id was chosen
  writers        text[] NOT NULL,
  -- transfer or account up to which the present state has read
  position       bigint NOT NULL,
  transfers      bigint NOT NULL DEFAULT 0,
  transfers_hash bytea NOT NULL DEFAULT '',
  balances       bigint NOT NULL DEFAULT 0,
  balances_hash  bytea NOT NULL DEFAULT '',
  -- over the seal of the month before and all of the above
  seal           bytea,
  closed_at      timestamptz(3) NOT NULL DEFAULT now(),
  sealed_at      timestamptz(3),
  archived_at    timestamptz(3),
  -- up to where transfers of requests were deleted; null: none
  deleted_to     bigint,
  CHECK ((seal IS NOT NULL) = (state = 'sealed')),
  CHECK (archived_at IS NULL OR state = 'sealed'),
  CHECK (deleted_to IS NULL OR archived_at IS NOT NULL)
);

-- One row per account and month with transfers. Sums are numeric: those of counter-accounts may exceed bigint.
CREATE TABLE sealed_balances (
  month         date NOT NULL,
  account_id    bigint NOT NULL,
  -- of the month
  credits       numeric NOT NULL,
  debits        numeric NOT NULL,
  -- of all months up to this one
  total_credits numeric NOT NULL,
  total_debits  numeric NOT NULL,
  PRIMARY KEY (month, account_id)
);
CREATE UNIQUE INDEX sealed_balances_account_id_month_key ON sealed_balances (account_id, month);

-- The journal stays append-only, except that transfers of archived months may be deleted.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (
    SELECT 1 FROM journal_months WHERE archived_at IS NOT NULL AND OLD.id > after_id AND OLD.id <= last_id
  ) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the journal is append-only';
END $$;
