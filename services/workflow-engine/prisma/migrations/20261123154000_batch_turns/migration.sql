-- When a step of an account's batches was last taken, so that accounts take turns.
CREATE TABLE batch_turns (
  account_id uuid           NOT NULL,
  stepped_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT batch_turns_pkey PRIMARY KEY (account_id)
);
CREATE INDEX batch_turns_stepped ON batch_turns (stepped_at);
