import pg from 'pg';

/** Names and statements of the embedded transport's own schema. */
export interface LogNames {
  schema: string;
  /** Quoted, for SQL text. */
  log: string;
  offsets: string;
  instance: string;
  /** Expression of the advisory lock that orders all writers of the log. */
  writerLock: string;
}

export function logNames(schema: string): LogNames {
  const quoted = pg.escapeIdentifier(schema);
  return {
    schema,
    log: `${quoted}.log`,
    offsets: `${quoted}.consumer_offsets`,
    instance: `${quoted}.log_instance`,
    writerLock: `hashtextextended(${pg.escapeLiteral(`${schema}.log`)}, 0)`,
  };
}

/**
 * The log replaces a Kafka cluster: `position` is assigned while the writer lock is held until commit, so the order of
 * positions is the order of commits and a reader that has seen a position will never see a lower one appear. Run as one
 * multi-statement query: one transaction, serialized by the lock, safe from many processes at once.
 */
export function createTablesSql(names: LogNames): string {
  return `
    SELECT pg_advisory_xact_lock(${names.writerLock});
    CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(names.schema)};
    CREATE TABLE IF NOT EXISTS ${names.log} (
      topic        text        NOT NULL,
      position     bigint      GENERATED ALWAYS AS IDENTITY,
      id           uuid        NOT NULL,
      source       text        NOT NULL,
      key          text        NOT NULL,
      type         text        NOT NULL,
      payload      bytea       NOT NULL,
      occurred_at  timestamptz NOT NULL,
      request_id   text,
      traceparent  text,
      headers      jsonb,
      published_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (topic, position)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
    CREATE TABLE IF NOT EXISTS ${names.offsets} (
      consumer_group text        NOT NULL,
      topic          text        NOT NULL,
      position       bigint      NOT NULL,
      updated_at     timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (consumer_group, topic)
    ) WITH (fillfactor = 50);
    CREATE TABLE IF NOT EXISTS ${names.instance} (id uuid NOT NULL);
    INSERT INTO ${names.instance} SELECT gen_random_uuid() WHERE NOT EXISTS (SELECT 1 FROM ${names.instance});`;
}
