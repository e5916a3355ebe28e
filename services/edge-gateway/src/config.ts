import { type EventsEnvironment, eventsFields } from '@tollgate/events';
import { ConfigError, fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';

const MIB = 1024 * 1024;
/** One tenant may hold half of it, and its largest legal body has to fit. */
const BODY_BYTES_IN_FLIGHT_LEAST = 64 * MIB;

const variables = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgresql', 'postgres'),
  DATABASE_SCHEMA: fields.text().default('edge_gateway'),
  DATABASE_POOL_MAX: fields.integer(1, 500).default(10),
  ...eventsFields,
  REDIS_URL: fields.url('redis', 'rediss').optional(),

  HTTP_HOST: fields.text().default('0.0.0.0'),
  HTTP_PORT: fields.port().default(8080),
  MODEL_CATALOG_FILE: fields.text().optional(),
  PUBLIC_BASE_URL: fields.url().optional(),
  TRUST_PROXY_HOPS: fields.integer(0, 10).default(0),
  DRAIN_TIMEOUT: fields.durationMs().default(20_000),
  HTTP_BODY_BYTES_IN_FLIGHT_MAX: fields.integer(BODY_BYTES_IN_FLIGHT_LEAST).default(128 * MIB),

  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  GATEWAY_INFERENCE_ADDR: fields.text().default('gateway-inference:50051'),
  BILLING_LEDGER_ADDR: fields.text().default('billing-ledger:50051'),
  WORKFLOW_ENGINE_ADDR: fields.text().default('workflow-engine:50051'),
  AGENT_REGISTRY_ADDR: fields.text().default('agent-registry:50051'),
  HOOKS_WEBHOOKS_ADDR: fields.text().default('hooks-webhooks:50051'),
  MESSAGING_ADDR: fields.text().default('messaging:50051'),

  DEV_MODE: fields.bool().default(false),
  DEV_OWNER_EMAIL: fields.text().default('owner@tollgate.local'),
  KEY_PREFIX: fields.text().default('tg_'),
  KEY_PEPPER: fields.secret(32).optional(),
  JWT_PRIVATE_KEYS: fields.secret().optional(),
  JWT_ISSUER: fields.text().default('tollgate'),
  JWT_AUDIENCE: fields.text().default('tollgate'),
  ACCESS_TOKEN_TTL: fields.durationMs().default(3_600_000),
  REFRESH_TOKEN_TTL: fields.durationMs().default(30 * 86_400_000),

  OAUTH_GITHUB_CLIENT_ID: fields.text().optional(),
  OAUTH_GITHUB_CLIENT_SECRET: fields.secret().optional(),
  OAUTH_GITHUB_URL: fields.url().default('https://github.com'),
  OAUTH_GITHUB_API_URL: fields.url().default('https://api.github.com'),
  OAUTH_GOOGLE_CLIENT_ID: fields.text().optional(),
  OAUTH_GOOGLE_CLIENT_SECRET: fields.secret().optional(),
  OAUTH_GOOGLE_ISSUER: fields.url().default('https://accounts.google.com'),
  OAUTH_RETURN_ORIGINS: fields.csv().default([]),
  AUDIT_KEEP_DAYS: fields.integer(1, 3_650).default(400),

  RATE_LIMIT_SECRET_KEY_PER_MINUTE: fields.integer(1).default(1000),
  RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: fields.integer(1).default(100),
  RATE_LIMIT_CUSTOMER_PER_MINUTE: fields.integer(1).default(300),
  RATE_LIMIT_OWNER_PER_MINUTE: fields.integer(1).default(1000),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: fields.integer(1).default(2000),
  SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE: fields.integer(1).default(10),
  SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: fields.integer(1).default(30),
});

/** A pepper for one developer's machine; a real one has to be set everywhere else. */
const LOCAL_PEPPER = 'local-pepper-that-protects-nothing-of-value';

export type EdgeConfig = ReturnType<typeof configFromEnv>;

/** The only reader of the environment. @throws ConfigError */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const v = loadConfig(variables, env);
  if (!v.DEV_MODE && (!v.KEY_PEPPER || !v.JWT_PRIVATE_KEYS)) {
    throw new ConfigError('Invalid configuration:\n  KEY_PEPPER and JWT_PRIVATE_KEYS must be set unless DEV_MODE=1');
  }
  if (!/^[a-z][a-z0-9]*_$/.test(v.KEY_PREFIX)) {
    throw new ConfigError(
      'Invalid configuration:\n  KEY_PREFIX: expected lower-case letters and digits, then an underscore',
    );
  }
  return {
    logLevel: v.LOG_LEVEL,
    database: { url: v.DATABASE_URL, schema: v.DATABASE_SCHEMA, poolMax: v.DATABASE_POOL_MAX },
    events: v as EventsEnvironment,
    redisUrl: v.REDIS_URL,
    catalogFile: v.MODEL_CATALOG_FILE,
    publicBaseUrl: v.PUBLIC_BASE_URL,
    http: {
      host: v.HTTP_HOST,
      port: v.HTTP_PORT,
      trustProxyHops: v.TRUST_PROXY_HOPS,
      drainMs: v.DRAIN_TIMEOUT,
      bodyBytesInFlightMax: v.HTTP_BODY_BYTES_IN_FLIGHT_MAX,
    },
    grpc: { host: v.GRPC_HOST, port: v.GRPC_PORT },
    tls: { certFile: v.RPC_TLS_CERT_FILE, keyFile: v.RPC_TLS_KEY_FILE, caFile: v.RPC_TLS_CA_FILE },
    peers: {
      inference: v.GATEWAY_INFERENCE_ADDR,
      billing: v.BILLING_LEDGER_ADDR,
      workflow: v.WORKFLOW_ENGINE_ADDR,
      agents: v.AGENT_REGISTRY_ADDR,
      hooks: v.HOOKS_WEBHOOKS_ADDR,
      messaging: v.MESSAGING_ADDR,
    },
    devMode: v.DEV_MODE,
    devOwnerEmail: v.DEV_OWNER_EMAIL,
    keyPrefix: v.KEY_PREFIX,
    pepper: v.KEY_PEPPER ?? LOCAL_PEPPER,
    tokens: {
      privateKeys: v.JWT_PRIVATE_KEYS,
      issuer: v.JWT_ISSUER,
      audience: v.JWT_AUDIENCE,
      accessTtlMs: v.ACCESS_TOKEN_TTL,
      refreshTtlMs: v.REFRESH_TOKEN_TTL,
    },
    oauth: {
      github: client(v.OAUTH_GITHUB_CLIENT_ID, v.OAUTH_GITHUB_CLIENT_SECRET, {
        url: v.OAUTH_GITHUB_URL,
        apiUrl: v.OAUTH_GITHUB_API_URL,
      }),
      google: client(v.OAUTH_GOOGLE_CLIENT_ID, v.OAUTH_GOOGLE_CLIENT_SECRET, { issuer: v.OAUTH_GOOGLE_ISSUER }),
      returnOrigins: v.OAUTH_RETURN_ORIGINS,
    },
    auditKeepDays: v.AUDIT_KEEP_DAYS,
    limitsPerMinute: {
      secretKey: v.RATE_LIMIT_SECRET_KEY_PER_MINUTE,
      publishableKey: v.RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE,
      customer: v.RATE_LIMIT_CUSTOMER_PER_MINUTE,
      owner: v.RATE_LIMIT_OWNER_PER_MINUTE,
      anonymous: v.RATE_LIMIT_ANONYMOUS_PER_MINUTE,
      signInPerEmail: v.SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE,
      signInPerAddress: v.SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE,
    },
  };
}

/** A provider exists when both are set; one without the other is a mistake. */
function client<T extends object>(clientId: string | undefined, clientSecret: string | undefined, places: T) {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError('Invalid configuration:\n  OAUTH_…_CLIENT_ID and OAUTH_…_CLIENT_SECRET go together');
  }
  return { clientId, clientSecret, ...places };
}
