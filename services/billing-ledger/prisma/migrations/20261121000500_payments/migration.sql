-- A subscription without the processor that is to end: when. (The processor ends its own, and tells.)
ALTER TABLE subscriptions ADD COLUMN cancel_at timestamptz(3);
CREATE INDEX subscriptions_current_period_end_idx ON subscriptions (current_period_end);
CREATE INDEX subscriptions_billing_subscription_id_idx ON subscriptions (billing_subscription_id);

-- Everything below is written over pg (src/store/payments), not through Prisma.

-- What the processor was asked for. The row is written before the call and its id is the call's idempotency key, so that
-- a crash in between neither repeats the call nor loses it.
CREATE TABLE payment_orders (
  id                uuid PRIMARY KEY,
  -- subscription, tier_change, wallet_topup, account_topup, auto_topup, card_verification, card_setup
  kind              text NOT NULL,
  -- open, completed, expired, failed
  status            text NOT NULL DEFAULT 'open',
  account_id        uuid NOT NULL,
  project_id        uuid,
  -- of a tier's own checkout: known when the payer has become a customer
  customer_id       uuid,
  tier_id           uuid,
  amount_cents      bigint CHECK (amount_cents > 0),
  currency          text,
  -- paid back or disputed
  reversed_cents    bigint NOT NULL DEFAULT 0,
  session_id        text,
  session_url       text,
  setup_intent_id   text,
  payment_intent_id text,
  failure           text,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  expires_at        timestamptz(3),
  ended_at          timestamptz(3),
  -- open: when to ask the processor, in case its notice never came
  check_at          timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX payment_orders_session_id_key ON payment_orders (session_id) WHERE session_id IS NOT NULL;
CREATE UNIQUE INDEX payment_orders_setup_intent_id_key ON payment_orders (setup_intent_id) WHERE setup_intent_id IS NOT NULL;
CREATE INDEX payment_orders_account_id_created_at_idx ON payment_orders (account_id, created_at, id)
  WHERE kind IN ('account_topup', 'auto_topup');
CREATE INDEX payment_orders_check_at_idx ON payment_orders (check_at) WHERE status = 'open';
-- One charge under way per account, one purchase per customer.
CREATE UNIQUE INDEX payment_orders_open_auto_topup_key ON payment_orders (account_id)
  WHERE kind = 'auto_topup' AND status = 'open';
CREATE UNIQUE INDEX payment_orders_open_tier_change_key ON payment_orders (customer_id)
  WHERE kind = 'tier_change' AND status = 'open';

-- Who a customer or an owner account is at the processor.
CREATE TABLE processor_customers (
  -- customer, account
  ref_kind              text NOT NULL,
  ref_id                uuid NOT NULL,
  processor_customer_id text NOT NULL,
  created_at            timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (ref_kind, ref_id)
);
CREATE UNIQUE INDEX processor_customers_processor_customer_id_key ON processor_customers (processor_customer_id);

-- The processor's subscriptions as last seen. A ticket is drawn before the processor is asked; an answer is kept only
-- when no later asked one was, so that notices may come in any order.
CREATE SEQUENCE processor_tickets;
CREATE TABLE processor_subscriptions (
  id                    text PRIMARY KEY,
  customer_id           uuid NOT NULL,
  tier_id               uuid NOT NULL,
  processor_customer_id text NOT NULL,
  status                text NOT NULL,
  period_start          timestamptz(3) NOT NULL,
  period_end            timestamptz(3) NOT NULL,
  cancels_at_period_end boolean NOT NULL,
  started_at            timestamptz(3) NOT NULL,
  ticket                bigint NOT NULL,
  check_at              timestamptz(3) NOT NULL
);
CREATE INDEX processor_subscriptions_customer_id_idx ON processor_subscriptions (customer_id);
CREATE INDEX processor_subscriptions_check_at_idx ON processor_subscriptions (check_at)
  WHERE status NOT IN ('canceled', 'incomplete_expired');

CREATE TABLE auto_topups (
  account_id        uuid PRIMARY KEY,
  is_enabled        boolean NOT NULL DEFAULT false,
  threshold_cents   bigint NOT NULL DEFAULT 0 CHECK (threshold_cents >= 0),
  amount_cents      bigint NOT NULL DEFAULT 0 CHECK (amount_cents >= 0),
  failure_count     integer NOT NULL DEFAULT 0,
  next_attempt_at   timestamptz(3),
  last_triggered_at timestamptz(3),
  card_id           text,
  card_brand        text,
  card_last4        text,
  card_exp_month    integer,
  card_exp_year     integer,
  updated_at        timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX auto_topups_is_enabled_idx ON auto_topups (account_id) WHERE is_enabled;

CREATE TABLE card_verifications (
  account_id               uuid PRIMARY KEY,
  order_id                 uuid NOT NULL,
  verified_at              timestamptz(3) NOT NULL,
  card_brand               text NOT NULL,
  card_last4               text NOT NULL,
  grant_amount_cents       bigint NOT NULL,
  is_grant_used_by_card    boolean NOT NULL
);

-- One signup credit per card, for ever: no row is ever deleted.
CREATE TABLE card_grants (
  fingerprint text PRIMARY KEY,
  account_id  uuid NOT NULL,
  granted_at  timestamptz(3) NOT NULL DEFAULT now()
);
