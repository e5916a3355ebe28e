import { type EventsEnvironment, eventsFields } from '@tollgate/events';
import { fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';

const variables = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgresql', 'postgres'),
  DATABASE_SCHEMA: fields.text().default('agent_registry'),
  DATABASE_POOL_MAX: fields.integer(1, 500).default(10),
  ...eventsFields,
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  STATE_SWEEP_INTERVAL: fields.durationMs().default(60_000),
});

export type Config = ReturnType<typeof configFromEnv>;

/** @throws ConfigError naming every invalid variable */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const read = loadConfig(variables, env);
  return {
    logLevel: read.LOG_LEVEL,
    database: { url: read.DATABASE_URL, schema: read.DATABASE_SCHEMA, poolMax: read.DATABASE_POOL_MAX },
    events: read as EventsEnvironment,
    grpc: { host: read.GRPC_HOST, port: read.GRPC_PORT },
    tls: { certFile: read.RPC_TLS_CERT_FILE, keyFile: read.RPC_TLS_KEY_FILE, caFile: read.RPC_TLS_CA_FILE },
    /** How often expired state handles are deleted. */
    stateSweepIntervalMs: read.STATE_SWEEP_INTERVAL,
  };
}
