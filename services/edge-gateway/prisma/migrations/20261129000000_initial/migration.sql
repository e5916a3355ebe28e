-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261120000000_identity
-- replaces 20261121000100_sign_in
-- replaces 20261121000700_response_cache
-- replaces 20261122020000_lost_attempts
-- replaces 20261122100000_sign_in_sources
-- replaces 20261122180000_key_peppers
-- replaces 20261122180100_retention_indexes
-- replaces 20261123041000_requests
-- replaces 20261123074000_portal
-- replaces 20261123111500_unsupported_parameters
-- replaces 20261123112000_members
-- replaces 20261123112500_mails
-- replaces 20261123115100_response_storage
-- replaces 20261123154500_mail_recipients
-- replaces 20261123190000_key_issuers
-- replaces 20261123190200_customer_agents
-- replaces 20261123200000_requests_by_status
-- replaces 20261123220000_owner_devices
-- replaces 20261124150000_approving_session
-- replaces 20261124152000_lost_responses
-- replaces 20261124160000_request_rollups
-- replaces 20261124190500_request_detail

-- --- Accounts --------------------------------------------------------------------------------------------------------------

-- An owner account: it pays the providers and owns projects.
CREATE TABLE accounts (
  id               uuid PRIMARY KEY,
  billing_provider text,
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- A person who signs in: an owner of an account, or a member of projects of other accounts.
CREATE TABLE users (
  id            uuid PRIMARY KEY,
  account_id    uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT,
  email         text NOT NULL,
  email_key     text NOT NULL,
  password_hash text,
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX users_email_key_key ON users (email_key);
CREATE INDEX users_account_id_idx ON users (account_id);

-- An identity at a sign-in provider that belongs to a user.
CREATE TABLE user_identities (
  provider   text NOT NULL,
  subject    text NOT NULL,
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (provider, subject)
);
CREATE INDEX user_identities_user_id_idx ON user_identities (user_id);

-- --- Projects --------------------------------------------------------------------------------------------------------------

-- The unit of isolation: keys, tiers, customers, agents and webhooks belong to one.
CREATE TABLE projects (
  id                     uuid PRIMARY KEY,
  account_id             uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT,
  owner_id               uuid NOT NULL REFERENCES users (id) ON DELETE RESTRICT,
  name                   text NOT NULL,
  description            text,
  billing_mode           text NOT NULL DEFAULT 'managed',
  markup_percentage      double precision NOT NULL DEFAULT 0,
  publishable_claims     boolean NOT NULL DEFAULT true,
  created_at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at             timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at             timestamptz(3),
  response_cache         boolean NOT NULL DEFAULT false,
  portal_color           text,
  portal_origins         text[] NOT NULL DEFAULT '{}',
  unsupported_parameters text NOT NULL DEFAULT 'refuse',
  response_storage       boolean,
  mcp_for_customers      boolean NOT NULL DEFAULT true
);
CREATE INDEX projects_account_id_created_at_id_idx ON projects (account_id, created_at, id);
CREATE INDEX projects_owner_id_idx ON projects (owner_id);

-- A user of another account who may act in a project.
CREATE TABLE project_members (
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role       text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user_id_idx ON project_members (user_id);

-- An open invitation: deleted when it is accepted or revoked.
CREATE TABLE project_invitations (
  id         uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  email      text NOT NULL,
  email_key  text NOT NULL,
  role       text NOT NULL,
  invited_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX project_invitations_project_id_email_key_key ON project_invitations (project_id, email_key);
CREATE INDEX project_invitations_expires_at_idx ON project_invitations (expires_at);

-- --- Keys ------------------------------------------------------------------------------------------------------------------

-- A secret or publishable key of a project.
CREATE TABLE api_keys (
  id                uuid PRIMARY KEY,
  project_id        uuid NOT NULL REFERENCES projects (id) ON DELETE RESTRICT,
  kind              text NOT NULL,
  label             text NOT NULL,
  key_hash          bytea NOT NULL,
  last4             text NOT NULL,
  spend_limit_cents bigint,
  expires_at        timestamptz(3),
  revoked_at        timestamptz(3),
  last_used_at      timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  previous_key_hash bytea,
  pepper_id         text,
  issued_by         uuid
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_project_id_created_at_id_idx ON api_keys (project_id, created_at, id);
CREATE UNIQUE INDEX api_keys_previous_key_hash_key ON api_keys (previous_key_hash);

-- A key that signs the tokens of sessions and customers.
CREATE TABLE signing_keys (
  kid         text PRIMARY KEY,
  private_key bytea NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  active_at   timestamptz(3) NOT NULL,
  retires_at  timestamptz(3)
);

-- A key, session, customer or project whose tokens are refused although they have not expired.
CREATE TABLE revocations (
  subject_id uuid PRIMARY KEY,
  kind       text NOT NULL,
  at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX revocations_at_idx ON revocations (at);
CREATE INDEX revocations_expires_at_idx ON revocations (expires_at);

-- --- Sign-ins of owners ----------------------------------------------------------------------------------------------------

-- A sign-in of a user, with a password, a provider or by a program.
CREATE TABLE sessions (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at  timestamptz(3) NOT NULL,
  revoked_at  timestamptz(3),
  client_name text,
  address     text
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- A token that gets the next access token of a session.
CREATE TABLE refresh_tokens (
  token_hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3)
);
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);

-- A sign-in at a provider between the redirect and the callback.
CREATE TABLE oauth_sign_ins (
  state_hash       bytea PRIMARY KEY,
  provider         text NOT NULL,
  code_verifier    text NOT NULL,
  nonce            text NOT NULL,
  return_to        text,
  handoff_nonce    text,
  device_code_hash bytea,
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at       timestamptz(3) NOT NULL
);
CREATE INDEX oauth_sign_ins_expires_at_idx ON oauth_sign_ins (expires_at);

-- A program that asks to sign an owner in by a code, until it gets its tokens or the code expires.
CREATE TABLE owner_device_sign_ins (
  device_code_hash bytea PRIMARY KEY,
  user_code        text NOT NULL,
  client_name      text NOT NULL,
  address          text NOT NULL,
  status           text NOT NULL DEFAULT 'pending',
  user_id          uuid REFERENCES users (id) ON DELETE CASCADE,
  interval_seconds integer NOT NULL,
  polled_at        timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at       timestamptz(3) NOT NULL,
  session_id       uuid
);
CREATE UNIQUE INDEX owner_device_sign_ins_user_code_key ON owner_device_sign_ins (user_code);
CREATE INDEX owner_device_sign_ins_user_id_idx ON owner_device_sign_ins (user_id);
CREATE INDEX owner_device_sign_ins_expires_at_idx ON owner_device_sign_ins (expires_at);

-- An address from which somebody signed in, or failed to, for one email: failures are limited per address, and known
-- addresses stay usable.
CREATE TABLE sign_in_sources (
  email_key     text NOT NULL,
  source        text NOT NULL,
  failures      integer NOT NULL DEFAULT 0,
  failed_at     timestamptz(3),
  blocked_until timestamptz(3),
  succeeded_at  timestamptz(3),
  touched_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (email_key, source)
);
CREATE INDEX sign_in_sources_touched_at_idx ON sign_in_sources (touched_at);
-- Deletes failed sources after a day. Most sources are known ones, which stay for 90 days.
CREATE INDEX sign_in_sources_failed_idx ON sign_in_sources (touched_at) WHERE succeeded_at IS NULL;

-- Failed sign-ins per email.
CREATE TABLE sign_in_failures (
  email_key    text PRIMARY KEY,
  failures     integer NOT NULL,
  failed_at    timestamptz(3) NOT NULL,
  locked_until timestamptz(3)
);
CREATE INDEX sign_in_failures_failed_at_idx ON sign_in_failures (failed_at);

-- The secret of a link that works once: an invitation or a reset of a password.
CREATE TABLE one_time_codes (
  code_hash  bytea PRIMARY KEY,
  kind       text NOT NULL,
  subject_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX one_time_codes_subject_id_idx ON one_time_codes (subject_id);
CREATE INDEX one_time_codes_expires_at_idx ON one_time_codes (expires_at);

-- --- Sign-ins of customers -------------------------------------------------------------------------------------------------

-- A customer's sign-in by a device code or through the portal, until its token expires.
CREATE TABLE customer_sessions (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  customer_id uuid NOT NULL,
  kind        text NOT NULL,
  user_agent  text,
  started_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL
);
CREATE INDEX customer_sessions_customer_id_started_at_idx ON customer_sessions (customer_id, started_at);
CREATE INDEX customer_sessions_expires_at_idx ON customer_sessions (expires_at);

-- A program that asks to sign a customer in by a code, until it gets its token or the code expires.
CREATE TABLE device_sign_ins (
  device_code_hash bytea PRIMARY KEY,
  user_code        text NOT NULL,
  project_id       uuid NOT NULL,
  status           text NOT NULL DEFAULT 'pending',
  customer_id      uuid,
  interval_seconds integer NOT NULL,
  polled_at        timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at       timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX device_sign_ins_user_code_key ON device_sign_ins (user_code);
CREATE INDEX device_sign_ins_expires_at_idx ON device_sign_ins (expires_at);

-- A link to the portal that has not been opened.
CREATE TABLE portal_links (
  code_hash   bytea PRIMARY KEY,
  project_id  uuid NOT NULL,
  customer_id uuid NOT NULL,
  return_url  text,
  expires_at  timestamptz(3) NOT NULL
);
CREATE INDEX portal_links_expires_at_idx ON portal_links (expires_at);

-- --- Requests --------------------------------------------------------------------------------------------------------------

-- A request that was admitted or refused. One partition per day (UTC), created and dropped by
-- src/store/requests/partitions.ts.
CREATE TABLE requests (
  id                       uuid NOT NULL,
  at                       timestamptz(3) NOT NULL,
  account_id               uuid NOT NULL,
  project_id               uuid NOT NULL,
  status                   text NOT NULL,
  client_request_id        text,
  customer_id              uuid,
  key_id                   uuid,
  tier_code                text,
  model                    text,
  provider                 text,
  http_status              integer,
  error_code               text,
  stop_reason              text,
  is_stream                boolean NOT NULL,
  is_cached                boolean NOT NULL,
  is_estimated             boolean NOT NULL,
  input_tokens             bigint NOT NULL,
  output_tokens            bigint NOT NULL,
  cache_read_input_tokens  bigint NOT NULL,
  cache_write_input_tokens bigint NOT NULL,
  reasoning_tokens         bigint NOT NULL,
  images                   integer NOT NULL,
  revenue_microcents       bigint NOT NULL,
  cost_microcents          bigint NOT NULL,
  overrun_microcents       bigint NOT NULL,
  unreconciled_microcents  bigint NOT NULL,
  duration_ms              bigint,
  first_output_ms          bigint,
  trace_id                 text,
  detail                   json,
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX requests_project_id_at_idx ON requests (project_id, at DESC, id DESC);
-- Lists the requests of a customer, newest first.
CREATE INDEX requests_customer_id_at_idx ON requests (customer_id, at DESC, id DESC) WHERE customer_id IS NOT NULL;
-- Finds a request by the client's id.
CREATE INDEX requests_client_request_id_idx ON requests (client_request_id) WHERE client_request_id IS NOT NULL;
-- Lists failed and refused requests, which are few among those that succeeded.
CREATE INDEX requests_project_id_status_at_idx ON requests (project_id, status, at DESC, id DESC) WHERE status <> 'succeeded';

-- Sums of `requests` per project, hour, model, key, tier and status.
CREATE TABLE request_hours (
  project_id           uuid NOT NULL,
  start                timestamptz(3) NOT NULL,
  model                text NOT NULL,
  key_id               uuid NOT NULL,
  tier_code            text NOT NULL,
  status               text NOT NULL,
  requests             bigint NOT NULL,
  input_tokens         numeric NOT NULL,
  output_tokens        numeric NOT NULL,
  images               bigint NOT NULL,
  revenue_microcents   numeric NOT NULL,
  cost_microcents      numeric NOT NULL,
  duration_buckets     integer[],
  duration_counts      bigint[],
  first_output_buckets integer[],
  first_output_counts  bigint[]
);
CREATE INDEX request_hours_project_id_start_idx ON request_hours (project_id, start);
CREATE INDEX request_hours_start_idx ON request_hours (start);

-- Sums of `request_hours` per day.
CREATE TABLE request_days (LIKE request_hours);
CREATE INDEX request_days_project_id_start_idx ON request_days (project_id, start);
CREATE INDEX request_days_start_idx ON request_days (start);

-- Sums of `requests` per customer and day.
CREATE TABLE request_customer_days (LIKE request_hours, customer_id uuid NOT NULL);
CREATE INDEX request_customer_days_customer_id_start_idx ON request_customer_days (project_id, customer_id, start);
-- Ranks customers without reading the table.
CREATE INDEX request_customer_days_ranking_idx ON request_customer_days (project_id, start, customer_id) INCLUDE (requests);
CREATE INDEX request_customer_days_start_idx ON request_customer_days (start);

-- An hour or day that is summed for all projects.
CREATE TABLE request_rollups (
  span  text NOT NULL CHECK (span IN ('hour', 'day')),
  start timestamptz(3) NOT NULL,
  PRIMARY KEY (span, start)
);

-- A past hour of a project whose rows have changed since it was summed: it is read from `requests` until it is summed again.
CREATE TABLE request_rollup_marks (
  hour        timestamptz(3) NOT NULL,
  project_id  uuid NOT NULL,
  id          uuid NOT NULL DEFAULT gen_random_uuid(),
  customer_id uuid NOT NULL,
  PRIMARY KEY (hour, project_id, id)
);

-- Marks the past hours whose rows change. Triggers, because a replica of another version also writes during a roll-out. Rows of
-- the current hour need no mark: an hour is rolled up only after every transaction that saw it as the current one has ended.
CREATE FUNCTION mark_request_hours() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  open_hour CONSTANT timestamptz := date_trunc('hour', clock_timestamp(), 'UTC');
BEGIN
  INSERT INTO request_rollup_marks (hour, project_id, customer_id)
    SELECT DISTINCT date_trunc('hour', at, 'UTC'), project_id,
           coalesce(customer_id, '00000000-0000-0000-0000-000000000000')
      FROM changed WHERE at < open_hour;
  RETURN NULL;
END $$;
CREATE TRIGGER requests_inserted AFTER INSERT ON requests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
CREATE TRIGGER requests_updated_from AFTER UPDATE ON requests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
CREATE TRIGGER requests_updated_to AFTER UPDATE ON requests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();
CREATE TRIGGER requests_deleted AFTER DELETE ON requests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_request_hours();

-- --- Repeated requests -----------------------------------------------------------------------------------------------------

-- The answer of a request with an Idempotency-Key, returned to its repetitions; while it runs, the claim of the process that
-- runs it.
CREATE TABLE idempotency_records (
  scope          text NOT NULL,
  path           text NOT NULL,
  key            text NOT NULL,
  body_hash      bytea NOT NULL,
  claim_id       uuid NOT NULL,
  claimed_until  timestamptz(3) NOT NULL,
  status         integer,
  headers        jsonb,
  body           bytea,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at     timestamptz(3) NOT NULL,
  lost_claim_ids uuid[] DEFAULT ARRAY[]::uuid[],
  PRIMARY KEY (scope, path, key)
);
CREATE INDEX idempotency_records_expires_at_idx ON idempotency_records (expires_at);

-- A background response that may have been queued although its client got an error.
CREATE TABLE lost_responses (
  hold_id    uuid PRIMARY KEY,
  principal  bytea NOT NULL,
  tries      integer NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX lost_responses_due ON lost_responses (due_at);

-- --- Mails and audit -------------------------------------------------------------------------------------------------------

-- A mail that waits, was sent or was given up.
CREATE TABLE mails (
  id         uuid PRIMARY KEY,
  kind       text NOT NULL,
  recipient  text NOT NULL,
  subject_id uuid,
  base_url   text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  due_at     timestamptz(3) NOT NULL,
  attempts   integer NOT NULL DEFAULT 0,
  ended_at   timestamptz(3),
  outcome    text,
  subject    text,
  text       text
);
-- Takes the mails that are due.
CREATE INDEX mails_due_at_idx ON mails (due_at) WHERE ended_at IS NULL;
CREATE INDEX mails_created_at_idx ON mails (created_at);
-- Bounds the mails to one address.
CREATE INDEX mails_recipient_created_at_idx ON mails (lower(trim(recipient)), created_at);

-- A change that a person or a key made.
CREATE TABLE audit_events (
  id         uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  project_id uuid,
  action     text NOT NULL,
  actor_kind text NOT NULL,
  actor_id   text NOT NULL,
  subject_id text,
  address    text NOT NULL,
  request_id text NOT NULL,
  at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX audit_events_account_id_at_id_idx ON audit_events (account_id, at, id);
CREATE INDEX audit_events_at_idx ON audit_events (at);
