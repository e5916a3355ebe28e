-- The stream of a response. Its appends leave all indexed columns as they are, so that they write no index.
ALTER TABLE background_responses
  ADD COLUMN is_streamed boolean NOT NULL DEFAULT false,
  -- Whether events are stored.
  ADD COLUMN has_events boolean NOT NULL DEFAULT false,
  -- Sequence number of the last event.
  ADD COLUMN last_event integer NOT NULL DEFAULT -1,
  -- Size of the stored events.
  ADD COLUMN event_bytes integer NOT NULL DEFAULT 0;
-- Events of streamed responses, some per row.
CREATE TABLE background_events (
  response_id uuid    NOT NULL,
  -- Sequence number of the last event of the row.
  last_event  integer NOT NULL,
  -- JSON, one event per line.
  events      text    NOT NULL,
  CONSTRAINT background_events_pkey PRIMARY KEY (response_id, last_event),
  CONSTRAINT background_events_response_fkey FOREIGN KEY (response_id) REFERENCES background_responses (id) ON DELETE CASCADE
);
CREATE INDEX background_responses_events ON background_responses (project_id, ended_at) WHERE has_events;
