import { ConfigError, fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';
import { isRefusedLiteral } from './providers/guarded-lookup.js';

const variables = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(9090),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  BILLING_LEDGER_ADDR: fields.text().default('billing-ledger:9090'),
  DRAIN_TIMEOUT: fields.durationMs().default(20_000),
  MODEL_CATALOG_FILE: fields.text().optional(),
  SANDBOX_PROVIDER: fields.bool().default(false),
  OPENAI_API_KEY: fields.secret().optional(),
  OPENAI_BASE_URL: fields.url().optional(),
  XAI_API_KEY: fields.secret().optional(),
  XAI_BASE_URL: fields.url().optional(),
  ALLOW_PRIVATE_ENDPOINTS: fields.bool().default(false),
  PROVIDER_CONNECTIONS: fields.integer(1, 10_000).default(256),
  PROVIDER_IN_FLIGHT_MAX: fields.integer(1, 100_000).default(2_000),
  PROVIDER_CONNECT_TIMEOUT: fields.durationMs().default(5_000),
  PROVIDER_RESPONSE_TIMEOUT: fields.durationMs().default(120_000),
  PROVIDER_IDLE_TIMEOUT: fields.durationMs().default(60_000),
  SETTLE_WAIT: fields.durationMs().default(10_000),
  SETTLE_RETRY_FOR: fields.durationMs().default(300_000),
});

export type Config = ReturnType<typeof configFromEnv>;

export interface ProviderAccess {
  baseUrl: string;
  /** Absent for local servers that want none. */
  apiKey: string | undefined;
}

/** The only reader of the environment. @throws ConfigError naming every bad variable. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const read = loadConfig(variables, env);
  for (const name of ['OPENAI_BASE_URL', 'XAI_BASE_URL'] as const) {
    const baseUrl = read[name];
    if (baseUrl === undefined || !isRefusedLiteral(baseUrl, read.ALLOW_PRIVATE_ENDPOINTS)) continue;
    throw new ConfigError(`Invalid configuration:\n  ${name}: a private address needs ALLOW_PRIVATE_ENDPOINTS=1`);
  }
  return {
    logLevel: read.LOG_LEVEL,
    grpcHost: read.GRPC_HOST,
    grpcPort: read.GRPC_PORT,
    tls: { certFile: read.RPC_TLS_CERT_FILE, keyFile: read.RPC_TLS_KEY_FILE, caFile: read.RPC_TLS_CA_FILE },
    billingAddress: read.BILLING_LEDGER_ADDR,
    drainMs: read.DRAIN_TIMEOUT,
    catalogFile: read.MODEL_CATALOG_FILE,
    sandbox: read.SANDBOX_PROVIDER,
    openai: access(read.OPENAI_API_KEY, read.OPENAI_BASE_URL, 'https://api.openai.com/v1'),
    xai: access(read.XAI_API_KEY, read.XAI_BASE_URL, 'https://api.x.ai/v1'),
    allowPrivateEndpoints: read.ALLOW_PRIVATE_ENDPOINTS,
    upstream: {
      connections: read.PROVIDER_CONNECTIONS,
      inFlightMax: read.PROVIDER_IN_FLIGHT_MAX,
      connectTimeoutMs: read.PROVIDER_CONNECT_TIMEOUT,
      responseTimeoutMs: read.PROVIDER_RESPONSE_TIMEOUT,
      idleTimeoutMs: read.PROVIDER_IDLE_TIMEOUT,
    },
    settleWaitMs: read.SETTLE_WAIT,
    settleRetryForMs: read.SETTLE_RETRY_FOR,
  };
}

/** A provider exists as soon as its key or its address is given. */
function access(
  apiKey: string | undefined,
  baseUrl: string | undefined,
  vendorUrl: string,
): ProviderAccess | undefined {
  if (apiKey === undefined && baseUrl === undefined) return undefined;
  return { apiKey, baseUrl: baseUrl ?? vendorUrl };
}
