-- What is still to be undone of responses that were canceled, deleted or discarded.
CREATE TABLE background_discards (
  -- The UUID of the response's id.
  id            uuid           NOT NULL,
  principal     bytea          NOT NULL,
  -- Holds of its attempts.
  hold_ids      uuid[]         NOT NULL,
  -- Its customer pays for none of them.
  is_superseded boolean        NOT NULL,
  tries         integer        NOT NULL DEFAULT 0,
  due_at        timestamptz(3) NOT NULL,
  CONSTRAINT background_discards_pkey PRIMARY KEY (id)
);
CREATE INDEX background_discards_due ON background_discards (due_at);
