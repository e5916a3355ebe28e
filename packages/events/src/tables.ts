/**
 * The tables of a producing service; its first migration contains this text. The columns are a contract: a service may
 * insert rows with a statement of its own instead of `appendEvents`.
 *
 * `seq` is taken when the row is inserted. Order per key is commit order as long as the row is inserted while the
 * transaction holds the lock of the entity that the key names (see the README). The writer pays for one index.
 */
export const OUTBOX_SQL = `CREATE TABLE outbox (
  seq          bigint      GENERATED ALWAYS AS IDENTITY,
  id           uuid        NOT NULL,
  topic        text        NOT NULL,
  key          text        NOT NULL,
  type         text        NOT NULL,
  payload      bytea       NOT NULL,
  occurred_at  timestamptz NOT NULL DEFAULT now(),
  request_id   text,
  traceparent  text,
  published_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE UNIQUE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE outbox_lease (
  name       text        PRIMARY KEY,
  holder     uuid        NOT NULL,
  epoch      bigint      NOT NULL,
  expires_at timestamptz NOT NULL
);
`;

/** The table of a consuming service: the events whose effects are committed. */
export const CONSUMED_EVENTS_SQL = `CREATE TABLE consumed_events (
  consumer    text        NOT NULL,
  event_id    uuid        NOT NULL,
  consumed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX consumed_events_age ON consumed_events USING brin (consumed_at);
`;
