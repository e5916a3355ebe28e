-- Responses that are made in the background. The answer of a complete one is stored by gateway-inference.
CREATE TABLE background_responses (
  -- The UUID of the response's id, and the hold of its first attempt.
  id                 uuid           NOT NULL,
  account_id         uuid           NOT NULL,
  project_id         uuid           NOT NULL,
  customer_id        uuid,
  principal          bytea          NOT NULL,
  traceparent        text,
  -- JSON of the members that are known before the response runs.
  head               text           NOT NULL,
  -- JSON of the request; null once the response has ended.
  body               text,
  bytes              integer        NOT NULL,
  -- JSON of how the request is sent and its answer stored.
  options            text           NOT NULL,
  status             text           NOT NULL DEFAULT 'queued',
  -- JSON of the failure.
  error              text,
  -- JSON of an answer that could not be stored elsewhere.
  answer             text,
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
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then it is complete, or fails.
  expires_at         timestamptz(3) NOT NULL,
  ended_at           timestamptz(3),
  CONSTRAINT background_responses_pkey PRIMARY KEY (id)
);
CREATE INDEX background_responses_unfinished ON background_responses (project_id) WHERE ended_at IS NULL;
CREATE INDEX background_responses_due ON background_responses (due_at) WHERE ended_at IS NULL AND lease_until IS NULL;
CREATE INDEX background_responses_leased ON background_responses (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX background_responses_ended ON background_responses (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX background_responses_customer ON background_responses (customer_id) WHERE customer_id IS NOT NULL;
