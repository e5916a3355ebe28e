import { ConfigError, fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';
import type { S3Access } from './clients/s3-storage.js';
import { isRefusedLiteral } from './providers/transport/guarded-lookup.js';
import type { VendorAccess } from './providers/vendors.js';
import type { SearchBackendConfig } from './tools/web-search.js';

const variables = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgresql', 'postgres'),
  DATABASE_SCHEMA: fields.text().default('gateway_inference'),
  DATABASE_POOL_MAX: fields.integer(1, 500).default(5),
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  BILLING_LEDGER_ADDR: fields.text().default('billing-ledger:50051'),
  AGENT_REGISTRY_ADDR: fields.text().default('agent-registry:50051'),
  HOOKS_WEBHOOKS_ADDR: fields.text().default('hooks-webhooks:50051'),
  MESSAGING_ADDR: fields.text().default('messaging:50051'),
  DRAIN_TIMEOUT: fields.durationMs().default(20_000),
  MODEL_CATALOG_FILE: fields.text().optional(),
  SANDBOX_PROVIDER: fields.bool().default(false),
  OPENAI_API_KEY: fields.secret().optional(),
  OPENAI_BASE_URL: fields.url().optional(),
  OPENAI_RESPONSES_API: fields.bool().default(false),
  ANTHROPIC_API_KEY: fields.secret().optional(),
  ANTHROPIC_BASE_URL: fields.url().optional(),
  GEMINI_API_KEY: fields.secret().optional(),
  GEMINI_BASE_URL: fields.url().optional(),
  XAI_API_KEY: fields.secret().optional(),
  XAI_BASE_URL: fields.url().optional(),
  ALLOW_PRIVATE_ENDPOINTS: fields.bool().default(false),
  PROVIDER_CONNECTIONS: fields.integer(1, 10_000).default(1_024),
  PROVIDER_IN_FLIGHT_MAX: fields.integer(1, 100_000).default(8_000),
  PROVIDER_CONNECT_TIMEOUT: fields.durationMs().default(5_000),
  PROVIDER_RESPONSE_TIMEOUT: fields.durationMs().default(120_000),
  PROVIDER_IDLE_TIMEOUT: fields.durationMs().default(60_000),
  CIRCUIT_FAILURES_MAX: fields.integer(1, 1_000).default(5),
  CIRCUIT_OPEN: fields.durationMs().default(30_000),
  IMAGE_STORAGE_DIR: fields.text().optional(),
  IMAGE_STORAGE_S3_ENDPOINT: fields.url().optional(),
  IMAGE_STORAGE_S3_BUCKET: fields.text().optional(),
  IMAGE_STORAGE_S3_REGION: fields.text().default('us-east-1'),
  IMAGE_STORAGE_S3_ACCESS_KEY_ID: fields.text().optional(),
  IMAGE_STORAGE_S3_SECRET_ACCESS_KEY: fields.secret().optional(),
  REDIS_URL: fields.url('redis', 'rediss').optional(),
  RESPONSE_CACHE_TTL: fields.durationMs().default(3_600_000),
  IMAGE_TTL: fields.durationMs().default(7 * 86_400_000),
  WEB_SEARCH_BACKEND: fields.oneOf('searxng', 'brave', 'tavily').optional(),
  WEB_SEARCH_URL: fields.url().optional(),
  WEB_SEARCH_API_KEY: fields.secret().optional(),
  PUBLIC_BASE_URL: fields.url().optional(),
  WEB_FETCH: fields.bool().default(true),
  SETTLE_WAIT: fields.durationMs().default(10_000),
  SETTLE_RETRY_FOR: fields.durationMs().default(300_000),
});

export type Config = ReturnType<typeof configFromEnv>;

const providerUrls = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'XAI_BASE_URL'] as const;

/** The only reader of the environment. @throws ConfigError naming every bad variable. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const read = loadConfig(variables, env);
  for (const name of providerUrls) {
    const baseUrl = read[name];
    if (baseUrl === undefined || !isRefusedLiteral(baseUrl, read.ALLOW_PRIVATE_ENDPOINTS)) continue;
    throw new ConfigError(`Invalid configuration:\n  ${name}: a private address needs ALLOW_PRIVATE_ENDPOINTS=1`);
  }
  return {
    logLevel: read.LOG_LEVEL,
    database: { url: read.DATABASE_URL, schema: read.DATABASE_SCHEMA, poolMax: read.DATABASE_POOL_MAX },
    grpcHost: read.GRPC_HOST,
    grpcPort: read.GRPC_PORT,
    tls: { certFile: read.RPC_TLS_CERT_FILE, keyFile: read.RPC_TLS_KEY_FILE, caFile: read.RPC_TLS_CA_FILE },
    billingAddress: read.BILLING_LEDGER_ADDR,
    agentsAddress: read.AGENT_REGISTRY_ADDR,
    hooksAddress: read.HOOKS_WEBHOOKS_ADDR,
    messagingAddress: read.MESSAGING_ADDR,
    drainMs: read.DRAIN_TIMEOUT,
    catalogFile: read.MODEL_CATALOG_FILE,
    sandbox: read.SANDBOX_PROVIDER,
    openai: access(read.OPENAI_API_KEY, read.OPENAI_BASE_URL, 'https://api.openai.com/v1'),
    openaiResponses: read.OPENAI_RESPONSES_API,
    anthropic: access(read.ANTHROPIC_API_KEY, read.ANTHROPIC_BASE_URL, 'https://api.anthropic.com'),
    google: access(read.GEMINI_API_KEY, read.GEMINI_BASE_URL, 'https://generativelanguage.googleapis.com/v1beta'),
    xai: access(read.XAI_API_KEY, read.XAI_BASE_URL, 'https://api.x.ai/v1'),
    allowPrivateEndpoints: read.ALLOW_PRIVATE_ENDPOINTS,
    upstream: {
      connections: read.PROVIDER_CONNECTIONS,
      inFlightMax: read.PROVIDER_IN_FLIGHT_MAX,
      connectTimeoutMs: read.PROVIDER_CONNECT_TIMEOUT,
      responseTimeoutMs: read.PROVIDER_RESPONSE_TIMEOUT,
      idleTimeoutMs: read.PROVIDER_IDLE_TIMEOUT,
    },
    circuit: { failuresMax: read.CIRCUIT_FAILURES_MAX, openMs: read.CIRCUIT_OPEN },
    imageStorage: imageStorage(read),
    imageTtlMs: read.IMAGE_TTL,
    redisUrl: read.REDIS_URL,
    responseCacheTtlMs: read.RESPONSE_CACHE_TTL,
    webSearch: searchBackend(read),
    publicBaseUrl: read.PUBLIC_BASE_URL,
    webFetch: read.WEB_FETCH,
    settleWaitMs: read.SETTLE_WAIT,
    settleRetryForMs: read.SETTLE_RETRY_FOR,
  };
}

/** Where the vendors' own services are; a SearXNG is always somebody's own. */
const searchUrls = { searxng: undefined, brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com' };

function searchBackend(read: z.output<typeof variables>): SearchBackendConfig | undefined {
  const { WEB_SEARCH_BACKEND: kind, WEB_SEARCH_URL, WEB_SEARCH_API_KEY: apiKey } = read;
  if (kind === undefined) return undefined;
  const url = WEB_SEARCH_URL ?? searchUrls[kind];
  if (url === undefined) throw new ConfigError('Invalid configuration:\n  WEB_SEARCH_URL: required for searxng');
  if (apiKey === undefined && kind !== 'searxng')
    throw new ConfigError(`Invalid configuration:\n  WEB_SEARCH_API_KEY: required for ${kind}`);
  return { kind, url, apiKey };
}

/** A provider exists as soon as its key or its address is given. */
function access(apiKey: string | undefined, baseUrl: string | undefined, vendorUrl: string): VendorAccess | undefined {
  if (apiKey === undefined && baseUrl === undefined) return undefined;
  return { apiKey, baseUrl: baseUrl ?? vendorUrl };
}

type ImageStorageConfig = { kind: 'directory'; directory: string } | ({ kind: 's3' } & S3Access);

/** A bucket before a directory; undefined: images are only answered as bytes. */
function imageStorage(read: z.output<typeof variables>): ImageStorageConfig | undefined {
  const endpoint = read.IMAGE_STORAGE_S3_ENDPOINT;
  const bucket = read.IMAGE_STORAGE_S3_BUCKET;
  const accessKeyId = read.IMAGE_STORAGE_S3_ACCESS_KEY_ID;
  const secretAccessKey = read.IMAGE_STORAGE_S3_SECRET_ACCESS_KEY;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    return { kind: 's3', endpoint, bucket, region: read.IMAGE_STORAGE_S3_REGION, accessKeyId, secretAccessKey };
  }
  if (endpoint || bucket || accessKeyId || secretAccessKey) {
    throw new ConfigError(
      'Invalid configuration:\n  IMAGE_STORAGE_S3_ENDPOINT, _BUCKET, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY go together',
    );
  }
  const directory = read.IMAGE_STORAGE_DIR;
  return directory === undefined ? undefined : { kind: 'directory', directory };
}
