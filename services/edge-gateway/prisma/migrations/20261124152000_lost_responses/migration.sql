-- Background responses that may have been queued, although their client got an error. They are still to be discarded.
CREATE TABLE lost_responses (
  hold_id    uuid           NOT NULL,
  principal  bytea          NOT NULL,
  tries      integer        NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT lost_responses_pkey PRIMARY KEY (hold_id)
);
CREATE INDEX lost_responses_due ON lost_responses (due_at);
