-- Customers, tiers and subscriptions: ordinary records, written through Prisma.

CREATE TABLE customers (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  account_id  uuid NOT NULL,
  external_id text NOT NULL,
  email       text NOT NULL,
  metadata    jsonb NOT NULL DEFAULT '{}',
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  updated_at  timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX customers_project_id_external_id_key ON customers (project_id, external_id);
CREATE INDEX customers_project_id_created_at_idx ON customers (project_id, created_at, id);

CREATE TABLE customer_identities (
  project_id  uuid NOT NULL,
  provider    text NOT NULL,
  subject     text NOT NULL,
  customer_id uuid NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, provider, subject)
);
CREATE INDEX customer_identities_customer_id_idx ON customer_identities (customer_id);

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
  updated_at              timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX subscriptions_customer_id_key ON subscriptions (customer_id);
CREATE INDEX subscriptions_tier_id_idx ON subscriptions (tier_id);

-- Once per (project, external id), also after the customer was deleted and created again.
CREATE TABLE promo_grants (
  project_id  uuid NOT NULL,
  external_id text NOT NULL,
  granted_at  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, external_id)
);

-- The ledger. Written by set-based statements over pg (src/store), not through Prisma.

-- Every limit is an account; available = credits - debits - held. Counter-accounts carry no balances: theirs follow
-- from the transfers.
CREATE TABLE accounts (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind             text NOT NULL,
  -- owner account, customer or key that the limit belongs to
  ref_id           uuid NOT NULL,
  -- start of the window for allowances, '-infinity' for the rest
  window_start     timestamptz(3) NOT NULL DEFAULT '-infinity',
  -- the owner account under which reports and verification find it
  owner_account_id uuid NOT NULL,
  is_enforced      boolean NOT NULL DEFAULT true,
  -- allowances and keys: what is granted in all, as the account's limit transfers add up to
  limit_microcents bigint,
  credits          bigint NOT NULL DEFAULT 0 CHECK (credits >= 0),
  debits           bigint NOT NULL DEFAULT 0 CHECK (debits >= 0),
  held             bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  created_at       timestamptz(3) NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX accounts_kind_ref_id_window_start_key ON accounts (kind, ref_id, window_start);
CREATE INDEX accounts_owner_account_id_idx ON accounts (owner_account_id);

-- Counter-accounts, one of each for the platform; ids are named in src/domain/counter-accounts.ts.
INSERT INTO accounts (id, kind, ref_id, owner_account_id, is_enforced) OVERRIDING SYSTEM VALUE
SELECT t.id, t.kind, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', false
FROM (VALUES
  (1, 'processor_clearing'), (2, 'promo'), (3, 'adjustment'), (4, 'limit_grant'),
  (5, 'customer_charges'), (6, 'provider_cost'), (7, 'key_spend'), (8, 'overrun'), (9, 'unreconciled'), (10, 'refunds')
) AS t (id, kind);
SELECT setval(pg_get_serial_sequence('accounts', 'id'), 1000);

-- One row per admitted request: every limit held together, left together. state: 0 open, 1 posted, 2 released,
-- 3 expired with a verdict, 4 settled late. A hold leaves `open` exactly once.
CREATE TABLE holds (
  request_id               uuid PRIMARY KEY,
  state                    smallint NOT NULL DEFAULT 0,
  account_ids              bigint[] NOT NULL,
  amounts                  bigint[] NOT NULL,
  expires_at               timestamptz(3) NOT NULL,
  created_at               timestamptz(3) NOT NULL DEFAULT now(),
  owner_account_id         uuid NOT NULL,
  -- admission facts the settlement is computed from: src/domain/hold.ts
  terms                    json NOT NULL,
  customer_id              uuid,
  progress_input_tokens    bigint NOT NULL DEFAULT 0,
  progress_output_tokens   bigint NOT NULL DEFAULT 0,
  -- outcome
  settled_at               timestamptz(3),
  model_id                 text NOT NULL,
  input_tokens             bigint,
  output_tokens            bigint,
  images                   integer,
  customer_microcents      bigint,
  owner_microcents         bigint,
  overrun_microcents       bigint,
  unreconciled_microcents  bigint
) WITH (fillfactor = 70);
CREATE INDEX holds_open_expires_at_idx ON holds (expires_at) WHERE state = 0;

-- Double entry by shape: one row is both sides. Append-only.
CREATE TABLE transfers (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  debit_account  bigint NOT NULL,
  credit_account bigint NOT NULL,
  amount         bigint NOT NULL CHECK (amount > 0),
  kind           text NOT NULL,
  -- what caused it: a request id, or the UUID made from an outside id (kept in cause_ref); once per kind
  cause          uuid NOT NULL,
  cause_ref      text,
  occurred_at    timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (debit_account <> credit_account)
);
CREATE UNIQUE INDEX transfers_kind_cause_key ON transfers (cause, kind);
-- Limits only: nobody reads a counter-account's entries one by one, and every request makes some.
CREATE INDEX transfers_debit_account_idx ON transfers (debit_account, id) WHERE debit_account > 1000;
CREATE INDEX transfers_credit_account_idx ON transfers (credit_account, id) WHERE credit_account > 1000;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only';
END $$;
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What was used, per window, day, key and model; written in the settlement's transaction.
CREATE TABLE usage_rollups (
  owner_account_id        uuid NOT NULL,
  project_id              uuid NOT NULL,
  -- zero UUID: owner-billed
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

-- Events that leave with the state change they tell about (packages/events).
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
