CREATE TABLE webhooks (
  id                uuid PRIMARY KEY,
  project_id        uuid NOT NULL,
  endpoint_url      text NOT NULL,
  event_types       text[] NOT NULL,
  enabled           boolean NOT NULL,
  -- owner, failures or gone; only while disabled.
  disabled_reason   text,
  -- body or timestamped.
  signature_form    text NOT NULL,
  -- standard or fast.
  retry_schedule    text NOT NULL,
  secret_key_id     text NOT NULL,
  secret_sealed     bytea NOT NULL,
  -- Consecutive, set to zero by a delivered event.
  failed_deliveries integer NOT NULL DEFAULT 0,
  failed_attempts   integer NOT NULL DEFAULT 0,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  -- The row stays until its deliveries are swept.
  deleted_at        timestamptz(3)
);
CREATE INDEX webhooks_project_id_created_at_id_idx ON webhooks (project_id, created_at, id);
CREATE INDEX webhooks_closed_idx ON webhooks (id) WHERE NOT enabled OR deleted_at IS NOT NULL;

-- One row per occurrence that at least one endpoint wanted.
CREATE TABLE webhook_events (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  event_type  text NOT NULL,
  -- The bytes that every attempt signs and sends.
  payload     bytea NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhook_events_created_at_idx ON webhook_events (created_at);

-- The delivery log. The queue is webhook_lanes.
CREATE TABLE webhook_deliveries (
  id              uuid PRIMARY KEY,
  -- Order of deliveries within a lane.
  seq             bigserial NOT NULL,
  webhook_id      uuid NOT NULL REFERENCES webhooks (id),
  event_id        uuid NOT NULL REFERENCES webhook_events (id),
  -- Deliveries of one lane go one after the other.
  lane_key        text NOT NULL,
  status          text NOT NULL CHECK (status IN ('pending', 'processing', 'delivered', 'failed')),
  -- Counts redeliveries; each has five attempts of its own.
  round           integer NOT NULL DEFAULT 0,
  attempt_count   integer NOT NULL DEFAULT 0 CHECK (attempt_count BETWEEN 0 AND 5),
  response_status integer,
  latency_ms      integer,
  error           text,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX webhook_deliveries_webhook_id_event_id_key ON webhook_deliveries (webhook_id, event_id);
CREATE INDEX webhook_deliveries_webhook_id_seq_idx ON webhook_deliveries (webhook_id, seq DESC);
CREATE INDEX webhook_deliveries_event_id_idx ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, lane_key, seq) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (created_at) WHERE status IN ('delivered', 'failed');

CREATE TABLE webhook_attempts (
  delivery_id     uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  round           integer NOT NULL,
  attempt         integer NOT NULL,
  -- delivered, retry, failed or interrupted.
  outcome         text NOT NULL,
  response_status integer,
  latency_ms      integer,
  error           text,
  started_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (delivery_id, round, attempt)
);

-- The queue: one row per endpoint and customer with unfinished deliveries, or per delivery where no order is promised.
-- Its head is the only delivery of the lane that may be attempted.
CREATE TABLE webhook_lanes (
  webhook_id   uuid NOT NULL,
  lane_key     text NOT NULL,
  -- The head.
  delivery_id  uuid NOT NULL,
  due_at       timestamptz NOT NULL,
  -- A worker is attempting the head; null = free.
  leased_until timestamptz,
  -- Rises with every lease, so that a worker that lost its lease cannot report.
  epoch        integer NOT NULL DEFAULT 0,
  -- In this order, so that what is asked about an endpoint can only go through the two indexes below.
  PRIMARY KEY (lane_key, webhook_id)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
CREATE INDEX webhook_lanes_free_idx ON webhook_lanes (webhook_id, due_at) WHERE leased_until IS NULL;
CREATE INDEX webhook_lanes_leased_idx ON webhook_lanes (webhook_id, leased_until) WHERE leased_until IS NOT NULL;

-- Which events of the other services were fanned out (packages/events).
CREATE TABLE consumed_events (
  consumer    text        NOT NULL,
  event_id    uuid        NOT NULL,
  consumed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX consumed_events_age ON consumed_events USING brin (consumed_at);
