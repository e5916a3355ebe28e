-- A request to send the failed deliveries of a webhook again. The sweeper works on the running ones.
CREATE TABLE webhook_recoveries (
  id         uuid PRIMARY KEY,
  webhook_id uuid NOT NULL,
  -- Deliveries of events since then.
  since      timestamptz(3) NOT NULL,
  -- running, completed or canceled.
  status     text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'canceled')),
  requeued   integer NOT NULL DEFAULT 0,
  -- Deliveries that failed later are left alone, so each is sent again once at most.
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ended_at   timestamptz(3)
);
CREATE UNIQUE INDEX webhook_recoveries_running_key ON webhook_recoveries (webhook_id) WHERE status = 'running';
CREATE INDEX webhook_recoveries_ended_at_idx ON webhook_recoveries (ended_at) WHERE ended_at IS NOT NULL;

-- Samples that an owner sent: neither counted nor recovered.
ALTER TABLE webhook_deliveries ADD COLUMN is_test boolean NOT NULL DEFAULT false;
