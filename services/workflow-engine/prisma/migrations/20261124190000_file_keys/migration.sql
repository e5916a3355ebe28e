-- Idempotency keys of uploads, for 24 hours.
CREATE TABLE file_keys (
  project_id   uuid           NOT NULL,
  scope        text           NOT NULL,
  key          text           NOT NULL,
  request_hash text           NOT NULL,
  file_id      uuid           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT file_keys_pkey PRIMARY KEY (project_id, scope, key)
);
CREATE INDEX file_keys_created ON file_keys (created_at);
