import { createSecretKey } from 'node:crypto';
import { type EventsEnvironment, eventsFields } from '@tollgate/events';
import { ConfigError, fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';
import { computeKeyId, type Keyring } from './domain/secret-box.js';

const variables = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgresql', 'postgres'),
  DATABASE_SCHEMA: fields.text().default('hooks_webhooks'),
  DATABASE_POOL_MAX: fields.integer(1, 500).default(5),
  DATABASE_QUEUE_POOL_MAX: fields.integer(2, 500).default(6),
  ...eventsFields,
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  SECRETS_ENCRYPTION_KEY: fields.secret(),
  SECRETS_ENCRYPTION_KEYS_PREVIOUS: fields.csv().optional(),
  ALLOW_PRIVATE_ENDPOINTS: fields.bool().default(false),
  WEBHOOK_CONCURRENCY: fields.integer(1, 10_000).default(512),
  WEBHOOK_ENDPOINT_CONCURRENCY: fields.integer(1, 1_000).default(10),
  WEBHOOK_LEASE_MARGIN: fields.durationMs().default(15_000),
  WEBHOOK_POLL_INTERVAL: fields.durationMs().default(1_000),
  WEBHOOK_DRAIN_TIMEOUT: fields.durationMs().default(10_000),
  WEBHOOK_RETENTION_DAYS: fields.integer(1, 3_650).default(30),
  TOOL_HOOK_RETENTION_DAYS: fields.integer(1, 3_650).default(30),
});

export type Config = ReturnType<typeof configFromEnv>;

/** The only reader of the environment. @throws ConfigError naming every bad variable. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const read = loadConfig(variables, env);
  return {
    logLevel: read.LOG_LEVEL,
    database: {
      url: read.DATABASE_URL,
      schema: read.DATABASE_SCHEMA,
      poolMax: read.DATABASE_POOL_MAX,
      queuePoolMax: read.DATABASE_QUEUE_POOL_MAX,
    },
    events: read as EventsEnvironment,
    grpc: { host: read.GRPC_HOST, port: read.GRPC_PORT },
    tls: { certFile: read.RPC_TLS_CERT_FILE, keyFile: read.RPC_TLS_KEY_FILE, caFile: read.RPC_TLS_CA_FILE },
    keyring: readKeyring(read.SECRETS_ENCRYPTION_KEY, read.SECRETS_ENCRYPTION_KEYS_PREVIOUS ?? []),
    allowPrivateEndpoints: read.ALLOW_PRIVATE_ENDPOINTS,
    limits: {
      /** Attempts in the air of one process. */
      concurrency: read.WEBHOOK_CONCURRENCY,
      /** Of these to one endpoint, over all processes. */
      perEndpoint: read.WEBHOOK_ENDPOINT_CONCURRENCY,
      /** How much longer than an attempt's timeout its lease holds. */
      leaseMarginMs: read.WEBHOOK_LEASE_MARGIN,
      pollMs: read.WEBHOOK_POLL_INTERVAL,
      drainMs: read.WEBHOOK_DRAIN_TIMEOUT,
      retentionDays: read.WEBHOOK_RETENTION_DAYS,
      /** Of tool hooks' event log and of recorded decisions. */
      hookRetentionDays: read.TOOL_HOOK_RETENTION_DAYS,
    },
  };
}

function readKeyring(current: string, previous: readonly string[]): Keyring {
  const bytes = [readKey('SECRETS_ENCRYPTION_KEY', current)];
  for (const text of previous) bytes.push(readKey('SECRETS_ENCRYPTION_KEYS_PREVIOUS', text));
  return {
    currentKeyId: computeKeyId(bytes[0]!),
    keys: new Map(bytes.map((key) => [computeKeyId(key), createSecretKey(key)])),
  };
}

function readKey(variable: string, text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`Invalid configuration:\n  ${variable}: expected 32 bytes in base64 or hex`);
}
