import { eventsFields } from '@tollgate/events';
import { fields } from '@tollgate/runtime';

/**
 * The settings that every service reads. A value of the wrong form stops the process at its start with one line that
 * names the variable. The comments say what a well-formed but wrong value does.
 */
export const serviceFields = {
  /** `silent` hides every failure; `debug` and `trace` slow the service down under load. */
  LOG_LEVEL: fields.choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  /** With the wrong server the process exits at its start; with the wrong database it starts with empty tables. */
  DATABASE_URL: fields.databaseUrl(),
  /** Default: the service's name with underscores. Another name starts with empty tables. */
  DATABASE_SCHEMA: fields.text().optional(),
  /** Too low: requests wait up to 10 s for a connection, then fail. Too high: the server refuses connections. */
  DATABASE_POOL_MAX: fields.integer(1, 500).default(10),
  /** With an address that peers cannot reach, the service looks healthy to itself and unavailable to its callers. */
  GRPC_HOST: fields.text().default('0.0.0.0'),
  /** A port in use stops the start. With another port than the peers' `…_ADDR`, calls fail as unavailable. */
  GRPC_PORT: fields.port().default(50051),
  /** With an address that Prometheus and probes cannot reach, the service seems to be down. Never expose it to clients. */
  HEALTH_HOST: fields.text().default('0.0.0.0'),
  /** The port of `/metrics`, `/healthz` and `/readyz`; without it there is none. A port in use stops the start. */
  HEALTH_PORT: fields.port().optional(),
  /** Sends metrics and traces to `OTEL_EXPORTER_OTLP_ENDPOINT`. With a wrong endpoint they are lost, and nothing else. */
  OTEL_ENABLED: fields.bool().default(false),
  /** Without certificate and key the service serves plain text; peers that expect TLS cannot connect. */
  RPC_TLS_CERT_FILE: fields.text().optional(),
  /** A key of another certificate stops the start. */
  RPC_TLS_KEY_FILE: fields.text().optional(),
  /** Without it peers are not verified. With another CA than the peers', no call in either direction succeeds. */
  RPC_TLS_CA_FILE: fields.text().optional(),
  /** Too short: a stop cuts off calls and work in progress. Too long: the orchestrator kills the process first. */
  DRAIN_TIMEOUT: fields.durationMs().default(20_000),
};

/** Settings that several services read, each defined once. A service adds those that it uses to its own fields. */
export const sharedFields = {
  /** Kafka, or events over PostgreSQL. All services must agree: with different transports no event arrives. */
  events: eventsFields,
  /** Without it, or while Redis is unavailable, each process keeps its own state: limits then hold per process. */
  REDIS_URL: fields.url('redis', 'rediss').optional(),
  /** An unreadable or invalid file stops the start. Services with different files disagree on models and prices. */
  MODEL_CATALOG_FILE: fields.text().optional(),
  /** What servers' chat templates add to a prompt. Too low: short prompts cost more than is held. Unset: as the catalog says. */
  PROMPT_OVERHEAD_TOKENS: fields.integer(0, 100_000).optional(),
  /** Adds the free test models. In production, customers could call models that cost nothing. */
  SANDBOX_PROVIDER: fields.bool().default(false),
  /** The address at which clients reach the edge. A wrong one breaks sign-in redirects and links in answers. */
  PUBLIC_BASE_URL: fields.url().optional(),
  /** Set in production, it lets a URL that a tenant supplies reach the private network. */
  ALLOW_PRIVATE_ENDPOINTS: fields.bool().default(false),
};
