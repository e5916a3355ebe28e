-- Files of batches, in parts. A file that is not complete is an upload in progress.
CREATE TABLE files (
  file_id        uuid           NOT NULL,
  account_id     uuid           NOT NULL,
  project_id     uuid           NOT NULL,
  customer_id    uuid,
  purpose        text           NOT NULL,
  filename       text           NOT NULL DEFAULT '',
  bytes          bigint         NOT NULL DEFAULT 0,
  parts          integer        NOT NULL DEFAULT 0,
  is_complete    boolean        NOT NULL DEFAULT false,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  expires_at     timestamptz(3) NOT NULL,
  CONSTRAINT files_pkey PRIMARY KEY (file_id)
);
CREATE INDEX files_project ON files (project_id, file_id);
CREATE INDEX files_expiring ON files (expires_at);

CREATE TABLE file_parts (
  file_id uuid    NOT NULL,
  part    integer NOT NULL,
  body    bytea   NOT NULL,
  CONSTRAINT file_parts_pkey PRIMARY KEY (file_id, part),
  CONSTRAINT file_parts_file FOREIGN KEY (file_id) REFERENCES files ON DELETE CASCADE
);

CREATE TABLE batches (
  batch_id           uuid           NOT NULL,
  account_id         uuid           NOT NULL,
  project_id         uuid           NOT NULL,
  customer_id        uuid,
  principal          bytea          NOT NULL,
  traceparent        text,
  endpoint           text           NOT NULL,
  input_file_id      uuid           NOT NULL,
  metadata           text,
  output_ttl_seconds integer        NOT NULL,
  status             text           NOT NULL DEFAULT 'validating',
  -- The status that follows when no line is in progress.
  ends_as            text           NOT NULL DEFAULT 'completed',
  errors             text,
  model              text,
  total              integer        NOT NULL DEFAULT 0,
  completed          integer        NOT NULL DEFAULT 0,
  failed             integer        NOT NULL DEFAULT 0,
  input_tokens       bigint         NOT NULL DEFAULT 0,
  cached_tokens      bigint         NOT NULL DEFAULT 0,
  output_tokens      bigint         NOT NULL DEFAULT 0,
  reasoning_tokens   bigint         NOT NULL DEFAULT 0,
  output_file_id     uuid,
  error_file_id      uuid,
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  expires_at         timestamptz(3) NOT NULL,
  in_progress_at     timestamptz(3),
  finalizing_at      timestamptz(3),
  completed_at       timestamptz(3),
  failed_at          timestamptz(3),
  expired_at         timestamptz(3),
  canceling_at      timestamptz(3),
  canceled_at       timestamptz(3),
  -- When the batch reached its last status.
  ended_at           timestamptz(3),
  CONSTRAINT batches_pkey PRIMARY KEY (batch_id)
);
CREATE INDEX batches_project ON batches (project_id, batch_id);
CREATE INDEX batches_unfinished ON batches (batch_id) WHERE ended_at IS NULL;
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;

-- The requests of unfinished batches. They are deleted when their answers are in the batch's files.
CREATE TABLE batch_lines (
  batch_id           uuid           NOT NULL,
  line               integer        NOT NULL,
  account_id         uuid           NOT NULL,
  custom_id          text           NOT NULL,
  body               text           NOT NULL,
  is_done            boolean        NOT NULL DEFAULT false,
  -- A new attempt is a new hold.
  attempt            integer        NOT NULL DEFAULT 1,
  -- The attempt may have been served.
  is_dispatched      boolean        NOT NULL DEFAULT false,
  superseded_attempt integer,
  lost               integer        NOT NULL DEFAULT 0,
  tries              integer        NOT NULL DEFAULT 0,
  lease_owner        uuid,
  lease_epoch        integer        NOT NULL DEFAULT 0,
  lease_until        timestamptz(3),
  due_at             timestamptz(3) NOT NULL DEFAULT now(),
  status_code        integer,
  answer             text,
  CONSTRAINT batch_lines_pkey PRIMARY KEY (batch_id, line),
  CONSTRAINT batch_lines_batch FOREIGN KEY (batch_id) REFERENCES batches ON DELETE CASCADE
);
CREATE UNIQUE INDEX batch_lines_custom_id ON batch_lines (batch_id, custom_id);
CREATE INDEX batch_lines_due ON batch_lines (account_id, batch_id, line) WHERE NOT is_done AND lease_until IS NULL;
-- Lines with an earlier attempt that their customer must not pay.
CREATE INDEX batch_lines_lost ON batch_lines (batch_id)
  WHERE NOT is_done AND lease_until IS NULL AND (is_dispatched OR superseded_attempt IS NOT NULL);
CREATE INDEX batch_lines_leased ON batch_lines (account_id, lease_until) WHERE lease_until IS NOT NULL;

-- Idempotency keys of batches, for 24 hours.
CREATE TABLE batch_keys (
  project_id   uuid           NOT NULL,
  scope        text           NOT NULL,
  key          text           NOT NULL,
  request_hash text           NOT NULL,
  batch_id     uuid           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT batch_keys_pkey PRIMARY KEY (project_id, scope, key)
);
CREATE INDEX batch_keys_created ON batch_keys (created_at);
