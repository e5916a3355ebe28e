import { fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';

const environment = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgres', 'postgresql'),
  DATABASE_SCHEMA: fields.text().default('billing_ledger'),
  DATABASE_POOL_MAX: fields.integer(1, 200).default(10),
  KAFKA_BROKERS: fields.csv().optional(),
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(9090),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  MODEL_CATALOG_FILE: fields.text().optional(),
  SANDBOX_PROVIDER: fields.bool().default(false),
  HOLD_TTL: fields.durationMs().default(60_000),
  HOLD_SWEEP_INTERVAL: fields.durationMs().default(1_000),
  LOW_BALANCE_THRESHOLD_CENTS: fields.integer().default(500),
});

export type Config = ReturnType<typeof configFromEnv>;

/** The only reader of the environment in this service. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const e = loadConfig(environment, env);
  return {
    logLevel: e.LOG_LEVEL,
    database: { url: e.DATABASE_URL, schema: e.DATABASE_SCHEMA, poolMax: e.DATABASE_POOL_MAX },
    kafkaBrokers: e.KAFKA_BROKERS ?? [],
    grpc: { host: e.GRPC_HOST, port: e.GRPC_PORT },
    tls: { certFile: e.RPC_TLS_CERT_FILE, keyFile: e.RPC_TLS_KEY_FILE, caFile: e.RPC_TLS_CA_FILE },
    modelCatalogFile: e.MODEL_CATALOG_FILE,
    sandboxProvider: e.SANDBOX_PROVIDER,
    /** A hold without progress expires after this. */
    holdTtlMs: e.HOLD_TTL,
    holdSweepIntervalMs: e.HOLD_SWEEP_INTERVAL,
    lowBalanceThresholdCents: e.LOW_BALANCE_THRESHOLD_CENTS,
  };
}
