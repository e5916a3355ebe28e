import { fields } from '@tollgate/runtime';
import { toKeyring } from '@tollgate/runtime/secret-box';
import { defineConfig, sharedFields } from '@tollgate/service';

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'hooks-webhooks',
  usesEvents: true,
  fields: {
    /** Connections for records. Too low: RPCs wait and fail. */
    DATABASE_POOL_MAX: fields.integer(1, 500).default(5),
    /** Connections for the delivery queue, in addition to DATABASE_POOL_MAX. Too low: deliveries are late. */
    DATABASE_QUEUE_POOL_MAX: fields.integer(2, 500).default(6),
    /** Default 10 s: deliveries drain after calls, within the time that the orchestrator grants. */
    DRAIN_TIMEOUT: fields.durationMs().default(10_000),
    ALLOW_PRIVATE_ENDPOINTS: sharedFields.ALLOW_PRIVATE_ENDPOINTS,
    /** 32 bytes in base64 or hex. Secrets that were sealed with another key cannot be opened: deliveries fail. */
    SECRETS_ENCRYPTION_KEY: fields.secret(),
    /** Keys that still open older secrets, until the sweeper has sealed them with the current key. */
    SECRETS_ENCRYPTION_KEYS_PREVIOUS: fields.csv().optional(),
    /** Delivery attempts in progress in this process. Too high: sockets run out. Too low: deliveries are late. */
    WEBHOOK_CONCURRENCY: fields.integer(1, 10_000).default(512),
    /** Attempts in progress at one endpoint, over all processes. Too high: a small endpoint is overloaded. */
    WEBHOOK_ENDPOINT_CONCURRENCY: fields.integer(1, 1_000).default(10),
    /** How much longer than an attempt's timeout its lease holds. Too short: slow attempts are made twice. */
    WEBHOOK_LEASE_MARGIN: fields.durationMs().default(15_000),
    /** How soon deliveries are found that another process queued. */
    WEBHOOK_POLL_INTERVAL: fields.durationMs().default(1_000),
    /** Older deliveries are deleted and cannot be sent again. */
    WEBHOOK_RETENTION_DAYS: fields.integer(1, 3_650).default(30),
    /** Older entries of the tool hooks' event log and older recorded decisions are deleted. */
    TOOL_HOOK_RETENTION_DAYS: fields.integer(1, 3_650).default(30),
  },
  toConfig: (env) => ({
    queuePoolMax: env.DATABASE_QUEUE_POOL_MAX,
    keyring: toKeyring(env.SECRETS_ENCRYPTION_KEY, env.SECRETS_ENCRYPTION_KEYS_PREVIOUS),
    allowPrivateEndpoints: env.ALLOW_PRIVATE_ENDPOINTS,
    limits: {
      concurrency: env.WEBHOOK_CONCURRENCY,
      perEndpoint: env.WEBHOOK_ENDPOINT_CONCURRENCY,
      leaseMarginMs: env.WEBHOOK_LEASE_MARGIN,
      pollMs: env.WEBHOOK_POLL_INTERVAL,
      drainMs: env.DRAIN_TIMEOUT,
      retentionDays: env.WEBHOOK_RETENTION_DAYS,
      hookRetentionDays: env.TOOL_HOOK_RETENTION_DAYS,
    },
  }),
});

export type Config = ReturnType<typeof configFromEnv>;
