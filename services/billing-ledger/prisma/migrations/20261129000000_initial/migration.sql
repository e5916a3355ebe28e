-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261120000000_ledger
-- replaces 20261121000010_hold_revisions
-- replaces 20261121000011_account_limits
-- replaces 20261121000012_money_notices
-- replaces 20261121000013_customer_emails
-- replaces 20261121000500_payments
-- replaces 20261122000600_proven_identities
-- replaces 20261122001300_paid_money
-- replaces 20261122020000_deleted_customers
-- replaces 20261122020100_hold_parts
-- replaces 20261122171500_reported_refunds
-- replaces 20261122175900_holds_settled_at
-- replaces 20261122180000_journal_months
-- replaces 20261122211500_tool_fees
-- replaces 20261123041500_customer_search
-- replaces 20261123044000_project_payments
-- replaces 20261123075000_blocked_customers
-- replaces 20261123111500_payment_refunds
-- replaces 20261123112000_uncharged_holds
-- replaces 20261123141000_statement_customers
-- replaces 20261124150000_owner_databases
-- replaces 20261124150100_customers_of_owner
-- replaces 20261124190000_free_before

-- --- Customers -------------------------------------------------------------------------------------------------------------

-- An end user of a project, known by the project's own id for it.
CREATE TABLE customers (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  account_id  uuid NOT NULL,
  external_id text NOT NULL,
  email       text NOT NULL,
  metadata    jsonb NOT NULL DEFAULT '{}',
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  updated_at  timestamptz(3) NOT NULL DEFAULT now(),
  blocked_at  timestamptz(3)
);
CREATE UNIQUE INDEX customers_project_id_external_id_key ON customers (project_id, external_id);
CREATE INDEX customers_project_id_created_at_idx ON customers (project_id, created_at, id);
-- Finds the oldest customer with an email, for claims.
CREATE INDEX customers_project_id_email_idx ON customers (project_id, lower(email), created_at, id);
-- Searches customers by the beginning of an email.
CREATE INDEX customers_email_prefix_idx ON customers (project_id, lower(email) text_pattern_ops);
-- Searches customers by the beginning of an external id.
CREATE INDEX customers_external_id_prefix_idx ON customers (project_id, lower(external_id) text_pattern_ops);
CREATE INDEX customers_account_id_idx ON customers (account_id);

-- An identity at a sign-in provider that leads to a customer.
CREATE TABLE customer_identities (
  project_id  uuid NOT NULL,
  provider    text NOT NULL,
  subject     text NOT NULL,
  customer_id uuid NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  is_proven   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, provider, subject)
);
CREATE INDEX customer_identities_customer_id_idx ON customer_identities (customer_id);

-- A deleted customer.
CREATE TABLE deleted_customers (
  id         uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  account_id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  check_at   timestamptz(3)
);
-- Takes the wallets that are due for a check.
CREATE INDEX deleted_customers_check_at_idx ON deleted_customers (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX deleted_customers_project_id_idx ON deleted_customers (project_id);

-- --- Tiers and subscriptions -----------------------------------------------------------------------------------------------

-- A plan of a project: prices of models and either a spend limit per period or a prepaid wallet.
CREATE TABLE tiers (
  id                             uuid PRIMARY KEY,
  project_id                     uuid NOT NULL,
  tier_code                      text NOT NULL,
  display_name                   text NOT NULL,
  billing_mode                   text NOT NULL DEFAULT 'subscription',
  spend_limit_cents              bigint,
  billing_provider               text,
  billing_price_ref              text,
  price_amount_cents             bigint,
  price_currency                 text,
  price_interval                 text,
  trial_days                     integer,
  promo_credits_cents            bigint,
  customer_token_max_ttl_seconds bigint,
  rate_limit_per_minute          integer,
  overage_enabled                boolean NOT NULL DEFAULT false,
  is_default                     boolean NOT NULL DEFAULT false,
  created_at                     timestamptz(3) NOT NULL DEFAULT now(),
  updated_at                     timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX tiers_project_id_tier_code_key ON tiers (project_id, tier_code);

-- A model that a tier may use, and what customers pay for it.
CREATE TABLE tier_models (
  id                             uuid PRIMARY KEY,
  tier_id                        uuid NOT NULL REFERENCES tiers (id) ON DELETE CASCADE,
  model_id                       text NOT NULL,
  input_price_per_million_cents  bigint NOT NULL,
  output_price_per_million_cents bigint NOT NULL,
  price_per_image_cents          bigint,
  is_default                     boolean NOT NULL DEFAULT false,
  created_at                     timestamptz(3) NOT NULL DEFAULT now(),
  updated_at                     timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX tier_models_tier_id_model_id_key ON tier_models (tier_id, model_id);

-- The tier of a customer and the period that its allowance is for.
CREATE TABLE subscriptions (
  id                      uuid PRIMARY KEY,
  project_id              uuid NOT NULL,
  customer_id             uuid NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  tier_id                 uuid NOT NULL REFERENCES tiers (id),
  billing_provider        text,
  billing_customer_id     text,
  billing_subscription_id text,
  subscription_status     text NOT NULL,
  current_period_start    timestamptz(3) NOT NULL,
  current_period_end      timestamptz(3) NOT NULL,
  created_at              timestamptz(3) NOT NULL DEFAULT now(),
  updated_at              timestamptz(3) NOT NULL DEFAULT now(),
  cancel_at               timestamptz(3)
);
CREATE UNIQUE INDEX subscriptions_customer_id_key ON subscriptions (customer_id);
CREATE INDEX subscriptions_tier_id_idx ON subscriptions (tier_id);
CREATE INDEX subscriptions_current_period_end_idx ON subscriptions (current_period_end);
CREATE INDEX subscriptions_billing_subscription_id_idx ON subscriptions (billing_subscription_id);

-- The promotional credit of an external id was given, also if the customer was deleted and created again since.
CREATE TABLE promo_grants (
  project_id  uuid NOT NULL,
  external_id text NOT NULL,
  granted_at  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, external_id)
);

-- The trial of an external id was used, also if the customer was deleted and created again since.
CREATE TABLE trial_grants (
  project_id      uuid NOT NULL,
  external_id     text NOT NULL,
  subscription_id text NOT NULL,
  granted_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, external_id)
);

-- --- Accounts and holds ----------------------------------------------------------------------------------------------------

-- A limit: an allowance, a wallet, a key's limit, an owner's balance, a daily cap, a quota.
CREATE TABLE accounts (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind             text NOT NULL,
  ref_id           uuid NOT NULL,
  window_start     timestamptz(3) NOT NULL DEFAULT '-infinity',
  owner_account_id uuid NOT NULL,
  is_enforced      boolean NOT NULL DEFAULT true,
  limit_microcents bigint,
  credits          bigint NOT NULL DEFAULT 0 CHECK (credits >= 0),
  debits           bigint NOT NULL DEFAULT 0 CHECK (debits >= 0),
  held             bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  window_end       timestamptz(3)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX accounts_kind_ref_id_window_start_key ON accounts (kind, ref_id, window_start);
CREATE INDEX accounts_owner_account_id_idx ON accounts (owner_account_id);

-- Counter-accounts, one of each for the platform; ids are named in src/domain/counter-accounts.ts. Limits start after id 1000.
INSERT INTO accounts (id, kind, ref_id, owner_account_id, is_enforced) OVERRIDING SYSTEM VALUE
SELECT t.id, t.kind, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', false
FROM (VALUES
  (1, 'processor_clearing'), (2, 'promo'), (3, 'adjustment'), (4, 'limit_grant'), (5, 'customer_charges'),
  (6, 'provider_cost'), (7, 'key_spend'), (8, 'overrun'), (9, 'unreconciled'), (10, 'refunds'),
  (11, 'daily_spend'), (12, 'quota_grant'), (13, 'quota_use'), (20, 'forfeited')
) AS t (id, kind);
SELECT setval(pg_get_serial_sequence('accounts', 'id'), 1000);

-- Funds reserved for one request before it is dispatched, from each limit that applies.
CREATE TABLE holds (
  request_id              uuid PRIMARY KEY,
  state                   smallint NOT NULL DEFAULT 0,
  account_ids             bigint[] NOT NULL,
  amounts                 bigint[] NOT NULL,
  expires_at              timestamptz(3) NOT NULL,
  created_at              timestamptz(3) NOT NULL DEFAULT now(),
  owner_account_id        uuid NOT NULL,
  terms                   json NOT NULL,
  customer_id             uuid,
  progress_input_tokens   bigint NOT NULL DEFAULT 0,
  progress_output_tokens  bigint NOT NULL DEFAULT 0,
  settled_at              timestamptz(3),
  model_id                text NOT NULL,
  input_tokens            bigint,
  output_tokens           bigint,
  images                  integer,
  customer_microcents     bigint,
  owner_microcents        bigint,
  overrun_microcents      bigint,
  unreconciled_microcents bigint,
  revision                integer NOT NULL DEFAULT 0,
  superseded_at           timestamptz(3),
  tool_fee_tokens         bigint,
  free_before             bigint[]
) WITH (fillfactor = 70);
-- Takes open holds that have expired.
CREATE INDEX holds_open_expires_at_idx ON holds (expires_at) WHERE state = 0;
-- Deletes ended holds, the oldest first.
CREATE INDEX holds_settled_at_idx ON holds (settled_at) WHERE settled_at IS NOT NULL;
-- Lists the requests of an account whose usage no customer paid for. Few requests are in it.
CREATE INDEX holds_uncharged_idx ON holds (owner_account_id, settled_at DESC, request_id DESC)
  WHERE overrun_microcents > 0 OR unreconciled_microcents > 0;

-- A request that is part of another one, such as an image that a turn's tool call pays for.
CREATE TABLE hold_parts (
  request_id uuid NOT NULL,
  part_id    uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (request_id, part_id)
);
CREATE INDEX hold_parts_created_at_idx ON hold_parts (created_at);

-- A limit of a single owner account that differs from the configured one.
CREATE TABLE account_limits (
  owner_account_id uuid NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('daily_cap', 'quota')),
  amount           bigint CHECK (amount >= 0),
  updated_at       timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_account_id, kind)
);

-- When an owner was last notified that requests are refused for a reason; a quarter of an hour passes before the next event.
CREATE TABLE admission_blocks (
  project_id   uuid NOT NULL,
  refusal_code text NOT NULL,
  told_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, refusal_code)
);

-- --- Journal ---------------------------------------------------------------------------------------------------------------

-- One entry of the journal: an amount that moved from one account to another.
CREATE TABLE transfers (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  debit_account  bigint NOT NULL,
  credit_account bigint NOT NULL,
  amount         bigint NOT NULL CHECK (amount > 0),
  kind           text NOT NULL,
  cause          uuid NOT NULL,
  cause_ref      text,
  occurred_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT transfers_check CHECK (debit_account <> credit_account)
);
CREATE UNIQUE INDEX transfers_kind_cause_key ON transfers (cause, kind);
-- Lists the entries of a limit. Counter-accounts are left out: every request makes some, and no list reads them.
CREATE INDEX transfers_debit_account_idx ON transfers (debit_account, id) WHERE debit_account > 1000;
-- Lists the entries of a limit, as above.
CREATE INDEX transfers_credit_account_idx ON transfers (credit_account, id) WHERE credit_account > 1000;
-- Adds up what an account has paid, for the free-credit cap. No request writes it.
CREATE INDEX transfers_paid_idx ON transfers (credit_account) INCLUDE (amount)
  WHERE kind IN ('top_up', 'refund_failed', 'dispute_won');
-- Adds up what was paid back. No request writes it.
CREATE INDEX transfers_paid_back_idx ON transfers (debit_account) INCLUDE (amount) WHERE kind IN ('refund', 'dispute');
-- Reports forfeited money of deleted customers. No request writes it.
CREATE INDEX transfers_forfeited_idx ON transfers (occurred_at) WHERE kind IN ('forfeited', 'forfeit_returned');

-- The journal is append-only, except that transfers of archived months may be deleted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (
    SELECT 1 FROM journal_months WHERE archived_at IS NOT NULL AND OLD.id > after_id AND OLD.id <= last_id
  ) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the journal is append-only';
END $$;
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A closed month of the journal: a range of transfer ids that no transfer joins later, sealed with balances and checksums.
CREATE TABLE journal_months (
  month          date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  after_id       bigint NOT NULL,
  last_id        bigint NOT NULL,
  state          text NOT NULL DEFAULT 'closing' CHECK (state IN ('closing', 'transfers', 'balances', 'sealed')),
  writers        text[] NOT NULL,
  position       bigint NOT NULL,
  transfers      bigint NOT NULL DEFAULT 0,
  transfers_hash bytea NOT NULL DEFAULT '\x',
  balances       bigint NOT NULL DEFAULT 0,
  balances_hash  bytea NOT NULL DEFAULT '\x',
  seal           bytea,
  closed_at      timestamptz(3) NOT NULL DEFAULT now(),
  sealed_at      timestamptz(3),
  archived_at    timestamptz(3),
  deleted_to     bigint,
  CONSTRAINT journal_months_check CHECK (last_id >= after_id),
  CONSTRAINT journal_months_check1 CHECK ((seal IS NOT NULL) = (state = 'sealed')),
  CONSTRAINT journal_months_check2 CHECK (archived_at IS NULL OR state = 'sealed'),
  CONSTRAINT journal_months_check3 CHECK (deleted_to IS NULL OR archived_at IS NOT NULL)
);

-- The sums of one account in one sealed month: what `verify` and statements start from.
CREATE TABLE sealed_balances (
  month         date NOT NULL,
  account_id    bigint NOT NULL,
  credits       numeric NOT NULL,
  debits        numeric NOT NULL,
  total_credits numeric NOT NULL,
  total_debits  numeric NOT NULL,
  PRIMARY KEY (month, account_id)
);
CREATE UNIQUE INDEX sealed_balances_account_id_month_key ON sealed_balances (account_id, month);

-- --- Usage -----------------------------------------------------------------------------------------------------------------

-- Usage and charges, summed per customer, window, day, key and model, for usage reports.
CREATE TABLE usage_rollups (
  owner_account_id        uuid NOT NULL,
  project_id              uuid NOT NULL,
  customer_id             uuid NOT NULL,
  window_start            timestamptz(3) NOT NULL,
  day                     date NOT NULL,
  key_id                  uuid NOT NULL,
  model_id                text NOT NULL,
  requests                bigint NOT NULL DEFAULT 0,
  input_tokens            bigint NOT NULL DEFAULT 0,
  output_tokens           bigint NOT NULL DEFAULT 0,
  images                  bigint NOT NULL DEFAULT 0,
  customer_microcents     bigint NOT NULL DEFAULT 0,
  provider_microcents     bigint NOT NULL DEFAULT 0,
  overrun_microcents      bigint NOT NULL DEFAULT 0,
  unreconciled_microcents bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id)
) WITH (fillfactor = 50);
CREATE INDEX usage_rollups_owner_account_id_day_idx ON usage_rollups (owner_account_id, day);

-- A share of a window's allowance that was reached: once each.
CREATE TABLE usage_thresholds (
  account_id        bigint NOT NULL,
  threshold_percent smallint NOT NULL,
  used_microcents   bigint NOT NULL,
  limit_microcents  bigint NOT NULL,
  reached_at        timestamptz(3) NOT NULL DEFAULT now(),
  announced_at      timestamptz(3),
  PRIMARY KEY (account_id, threshold_percent)
);
-- Finds thresholds whose event was not written because a process stopped.
CREATE INDEX usage_thresholds_unannounced_idx ON usage_thresholds (reached_at) WHERE announced_at IS NULL;
-- Deletes announced thresholds of ended windows.
CREATE INDEX usage_thresholds_announced_at_idx ON usage_thresholds (announced_at) WHERE announced_at IS NOT NULL;

-- --- Payments --------------------------------------------------------------------------------------------------------------

-- A purchase at the card processor.
CREATE TABLE payment_orders (
  id                uuid PRIMARY KEY,
  kind              text NOT NULL,
  status            text NOT NULL DEFAULT 'open',
  account_id        uuid NOT NULL,
  project_id        uuid,
  customer_id       uuid,
  tier_id           uuid,
  amount_cents      bigint CHECK (amount_cents > 0),
  currency          text,
  reversed_cents    bigint NOT NULL DEFAULT 0,
  session_id        text,
  session_url       text,
  setup_intent_id   text,
  payment_intent_id text,
  failure           text,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  expires_at        timestamptz(3),
  ended_at          timestamptz(3),
  check_at          timestamptz(3) NOT NULL,
  undo_requested_at timestamptz(3),
  undo_at           timestamptz(3)
);
-- Finds the order of a checkout's webhook event.
CREATE UNIQUE INDEX payment_orders_session_id_key ON payment_orders (session_id) WHERE session_id IS NOT NULL;
-- Finds the order of a card's webhook event.
CREATE UNIQUE INDEX payment_orders_setup_intent_id_key ON payment_orders (setup_intent_id) WHERE setup_intent_id IS NOT NULL;
-- Lists the top-ups of an account; adds up the automatic ones of a day and month.
CREATE INDEX payment_orders_account_id_created_at_idx ON payment_orders (account_id, created_at, id)
  WHERE kind IN ('account_topup', 'auto_topup');
-- Takes open orders whose webhook event is overdue.
CREATE INDEX payment_orders_check_at_idx ON payment_orders (check_at) WHERE status = 'open';
-- One automatic charge in progress per account.
CREATE UNIQUE INDEX payment_orders_open_auto_topup_key ON payment_orders (account_id)
  WHERE kind = 'auto_topup' AND status = 'open';
-- One tier change in progress per customer.
CREATE UNIQUE INDEX payment_orders_open_tier_change_key ON payment_orders (customer_id)
  WHERE kind = 'tier_change' AND status = 'open';
-- Takes the purchases that are due to be undone.
CREATE INDEX payment_orders_undo_at_idx ON payment_orders (undo_at) WHERE undo_at IS NOT NULL;
-- Undoes the open purchases of a deleted customer.
CREATE INDEX payment_orders_open_customer_id_idx ON payment_orders (customer_id) WHERE status = 'open';
-- Undoes the open purchases of a deleted project.
CREATE INDEX payment_orders_open_project_id_idx ON payment_orders (project_id) WHERE status = 'open';
-- Deletes purchases that were never paid.
CREATE INDEX payment_orders_unpaid_ended_at_idx ON payment_orders (ended_at)
  WHERE status IN ('expired', 'failed') AND payment_intent_id IS NULL;
-- Lists the purchases of a project's customers, newest first.
CREATE INDEX payment_orders_project_id_created_at_idx ON payment_orders (project_id, created_at DESC, id DESC)
  WHERE project_id IS NOT NULL;

-- A refund that an owner requested.
CREATE TABLE payment_refunds (
  id               uuid PRIMARY KEY,
  order_id         uuid NOT NULL,
  account_id       bigint NOT NULL,
  owner_account_id uuid NOT NULL,
  cause            text NOT NULL,
  amount_cents     bigint NOT NULL CHECK (amount_cents > 0),
  status           text NOT NULL DEFAULT 'pending',
  failure          text,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  ended_at         timestamptz(3),
  check_at         timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX payment_refunds_order_id_cause_key ON payment_refunds (order_id, cause);
-- Takes pending refunds that are overdue.
CREATE INDEX payment_refunds_check_at_idx ON payment_refunds (check_at) WHERE status = 'pending';
-- Adds up what is pending of a wallet, for verification.
CREATE INDEX payment_refunds_account_id_idx ON payment_refunds (account_id) WHERE status = 'pending';
-- Adds up what is pending of an owner, for verification.
CREATE INDEX payment_refunds_owner_account_id_idx ON payment_refunds (owner_account_id) WHERE status = 'pending';

-- A refund that an event has reported: a purchase may be undone twice, and each refund is reported once.
CREATE TABLE reported_refunds (
  id          text PRIMARY KEY,
  order_id    uuid NOT NULL,
  reported_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The identity of a customer or an owner account at the processor.
CREATE TABLE processor_customers (
  ref_kind              text NOT NULL,
  ref_id                uuid NOT NULL,
  processor_customer_id text NOT NULL,
  created_at            timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (ref_kind, ref_id)
);
CREATE UNIQUE INDEX processor_customers_processor_customer_id_key ON processor_customers (processor_customer_id);

-- A subscription at the processor, as it was last seen.
-- A ticket is drawn before the processor is asked; an answer is kept only when no later asked one was, so that notices may come
-- in any order.
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
  check_at              timestamptz(3) NOT NULL,
  pending_request       text
);
CREATE INDEX processor_subscriptions_customer_id_idx ON processor_subscriptions (customer_id);
-- Takes subscriptions that are due to be read again.
CREATE INDEX processor_subscriptions_check_at_idx ON processor_subscriptions (check_at)
  WHERE status NOT IN ('canceled', 'incomplete_expired');
-- Refuses to delete a tier that paying customers have.
CREATE INDEX processor_subscriptions_tier_id_idx ON processor_subscriptions (tier_id)
  WHERE status NOT IN ('canceled', 'incomplete_expired');

-- An owner account's automatic top-up and the card that it uses.
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
-- Finds the accounts whose balance is below their threshold.
CREATE INDEX auto_topups_is_enabled_idx ON auto_topups (account_id) WHERE is_enabled;

-- The card with which an owner account proved that it can pay, and the signup credit it got.
CREATE TABLE card_verifications (
  account_id            uuid PRIMARY KEY,
  order_id              uuid NOT NULL,
  verified_at           timestamptz(3) NOT NULL,
  card_brand            text NOT NULL,
  card_last4            text NOT NULL,
  grant_amount_cents    bigint NOT NULL,
  is_grant_used_by_card boolean NOT NULL
);

-- The signup credit of a card was given: once per card.
CREATE TABLE card_grants (
  fingerprint text PRIMARY KEY,
  account_id  uuid NOT NULL,
  granted_at  timestamptz(3) NOT NULL DEFAULT now()
);

-- --- Events ----------------------------------------------------------------------------------------------------------------

-- The outbox and the process that publishes it: OUTBOX_SQL of packages/events.
CREATE TABLE outbox (
  seq          bigint      GENERATED ALWAYS AS IDENTITY,
  id           uuid        NOT NULL,
  topic        text        NOT NULL,
  key          text        NOT NULL,
  type         text        NOT NULL,
  payload      bytea       NOT NULL,
  occurred_at  timestamptz NOT NULL DEFAULT now(),
  request_id   text,
  traceparent  text,
  published_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE UNIQUE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE outbox_lease (
  name       text        PRIMARY KEY,
  holder     uuid        NOT NULL,
  epoch      bigint      NOT NULL,
  expires_at timestamptz NOT NULL
);

-- --- Not used --------------------------------------------------------------------------------------------------------------

-- The database of an owner account, from the time when a ledger could have several.
CREATE TABLE owner_databases (
  owner_account_id uuid PRIMARY KEY,
  database         text NOT NULL,
  assigned_at      timestamptz(3) NOT NULL DEFAULT now()
);
