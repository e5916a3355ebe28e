-- Customers whose record was deleted. Their wallets are emptied at once, and watched for as long as requests that were
-- admitted before may still settle.
CREATE TABLE deleted_customers (
  id         uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  account_id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  -- when to look at the wallet again; null: never
  check_at   timestamptz(3)
);
CREATE INDEX deleted_customers_check_at_idx ON deleted_customers (check_at) WHERE check_at IS NOT NULL;

-- The counter-account of what deleted customers had paid and not used.
INSERT INTO accounts (id, kind, ref_id, owner_account_id, is_enforced) OVERRIDING SYSTEM VALUE
VALUES (20, 'forfeited', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', false);
-- Reports sum these few transfers per owner; no request writes this index.
CREATE INDEX transfers_forfeited_idx ON transfers (occurred_at) WHERE kind IN ('forfeited', 'forfeit_returned');

-- Purchases whose customer or project was deleted: an open page is expired, a payment is refunded, a subscription is
-- canceled. undo_requested_at stays as the record; undo_at is when to try next, null when there is nothing left to do.
ALTER TABLE payment_orders ADD COLUMN undo_requested_at timestamptz(3), ADD COLUMN undo_at timestamptz(3);
CREATE INDEX payment_orders_undo_at_idx ON payment_orders (undo_at) WHERE undo_at IS NOT NULL;
CREATE INDEX payment_orders_open_customer_id_idx ON payment_orders (customer_id) WHERE status = 'open';
CREATE INDEX payment_orders_open_project_id_idx ON payment_orders (project_id) WHERE status = 'open';

-- What the processor is asked for until it has answered: cancel, of a customer that was deleted together with its
-- subscription; end_trial, of a customer that had a trial before.
ALTER TABLE processor_subscriptions ADD COLUMN pending_request text;
CREATE INDEX processor_subscriptions_tier_id_idx ON processor_subscriptions (tier_id)
  WHERE status NOT IN ('canceled', 'incomplete_expired');

-- One trial per customer of a project, also after the customer was deleted and created again: no row is ever deleted.
CREATE TABLE trial_grants (
  project_id      uuid NOT NULL,
  external_id     text NOT NULL,
  subscription_id text NOT NULL,
  granted_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, external_id)
);
-- Whether an earlier subscription had a trial was not kept: whoever had one of a tier with trials counts as having had it.
INSERT INTO trial_grants (project_id, external_id, subscription_id)
SELECT DISTINCT ON (c.project_id, c.external_id) c.project_id, c.external_id, s.id
FROM processor_subscriptions s JOIN customers c ON c.id = s.customer_id JOIN tiers t ON t.id = s.tier_id
WHERE t.trial_days > 0
ORDER BY c.project_id, c.external_id, s.started_at;
