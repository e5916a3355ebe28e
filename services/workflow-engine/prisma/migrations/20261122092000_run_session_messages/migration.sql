-- What succeeded runs still have to append to their sessions, which another service owns.
CREATE TABLE run_session_messages (
  run_id     uuid           NOT NULL,
  session_id uuid           NOT NULL,
  content    text           NOT NULL,
  tries      integer        NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT run_session_messages_pkey PRIMARY KEY (run_id)
);
CREATE INDEX run_session_messages_due ON run_session_messages (due_at);
