-- A record of every request that was admitted or refused, for owners' reports. Fed from events, seconds late; the ledger
-- decides about money. One partition per day (UTC), created and dropped by the service (src/store/requests/partitions.ts).
CREATE TABLE requests (
  -- the id of its hold
  id                       uuid NOT NULL,
  -- when it ended
  at                       timestamptz(3) NOT NULL,
  account_id               uuid NOT NULL,
  project_id               uuid NOT NULL,
  -- succeeded, failed, refused, unreported
  status                   text NOT NULL,
  -- X-Service-Request-Id if the client chose it; null: as id
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
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX requests_project_id_at_idx ON requests (project_id, at DESC, id DESC);
CREATE INDEX requests_customer_id_at_idx ON requests (customer_id, at DESC, id DESC) WHERE customer_id IS NOT NULL;
CREATE INDEX requests_client_request_id_idx ON requests (client_request_id) WHERE client_request_id IS NOT NULL;
