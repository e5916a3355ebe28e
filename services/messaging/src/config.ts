import { fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';

const variables = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgresql', 'postgres'),
  DATABASE_SCHEMA: fields.text().default('messaging'),
  DATABASE_POOL_MAX: fields.integer(1, 500).default(10),
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
});

export type Config = ReturnType<typeof configFromEnv>;

/** @throws ConfigError naming every bad variable. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const read = loadConfig(variables, env);
  return {
    logLevel: read.LOG_LEVEL,
    database: { url: read.DATABASE_URL, schema: read.DATABASE_SCHEMA, poolMax: read.DATABASE_POOL_MAX },
    grpc: { host: read.GRPC_HOST, port: read.GRPC_PORT },
    tls: { certFile: read.RPC_TLS_CERT_FILE, keyFile: read.RPC_TLS_KEY_FILE, caFile: read.RPC_TLS_CA_FILE },
  };
}
