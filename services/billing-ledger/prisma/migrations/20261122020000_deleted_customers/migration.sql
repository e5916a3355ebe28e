-- Deleted customers. Their wallets are emptied on deletion and checked again while requests that were admitted earlier may
-- still settle.
CREATE TABLE deleted_customers (
  id         uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  account_id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  -- when to check the wallet again; null: never
  check_at   timestamptz(3)
);
CREATE INDEX deleted_customers_check_at_idx ON deleted_customers (check_at) WHERE check_at IS NOT NULL;

-- Counter-account for unused money in the wallets of deleted customers.
INSERT INTO accounts (id, kind, ref_id, owner_account_id, is_enforced) OVERRIDING SYSTEM VALUE
VALUES (20, 'forfeited', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', false);
-- Used by reports; no request writes to this index.
CREATE INDEX transfers_forfeited_idx ON transfers (occurred_at) WHERE kind IN ('forfeited', 'forfeit_returned');

-- Purchases to undo because their customer or project was deleted: open pages are expired, payments refunded,
-- subscriptions canceled. undo_requested_at is permanent; undo_at is the next attempt, null when the undo is complete.
ALTER TABLE payment_orders ADD COLUMN undo_requested_at timestamptz(3), ADD COLUMN undo_at timestamptz(3);
CREATE INDEX payment_orders_undo_at_idx ON payment_orders (undo_at) WHERE undo_at IS NOT NULL;
CREATE INDEX payment_orders_open_customer_id_idx ON payment_orders (customer_id) WHERE status = 'open';
CREATE INDEX payment_orders_open_project_id_idx ON payment_orders (project_id) WHERE status = 'open';

-- A request to the processor that is retried until it succeeds: cancel (the customer was deleted together with its
-- subscription) or end_trial (the customer already had a trial).
ALTER TABLE processor_subscriptions ADD COLUMN pending_request text;
CREATE INDEX processor_subscriptions_tier_id_idx ON processor_subscriptions (tier_id)
  WHERE status NOT IN ('canceled', 'incomplete_expired');

-- One trial per external id and project, even if the customer is deleted and created again. Rows are never deleted.
CREATE TABLE trial_grants (
  project_id      uuid NOT NULL,
  external_id     text NOT NULL,
  subscription_id text NOT NULL,
  granted_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, external_id)
);
-- Earlier subscriptions did not record whether they had a trial: any subscription to a tier with trials counts as one.
INSERT INTO trial_grants (project_id, external_id, subscription_id)
SELECT DISTINCT ON (c.project_id, c.external_id) c.project_id, c.external_id, s.id
FROM processor_subscriptions s JOIN customers c ON c.id = s.customer_id JOIN tiers t ON t.id = s.tier_id
WHERE t.trial_days > 0
ORDER BY c.project_id, c.external_id, s.started_at;
