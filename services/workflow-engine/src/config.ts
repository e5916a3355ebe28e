import { type EventsEnvironment, eventsFields } from '@tollgate/events';
import { fields, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';
import { GITHUB_API_URL, GITHUB_CODELOAD_URL } from './plugin-compile/compile-config.js';

const environment = z.object({
  LOG_LEVEL: fields.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: fields.url('postgres', 'postgresql'),
  DATABASE_SCHEMA: fields.text().default('workflow_engine'),
  DATABASE_POOL_MAX: fields.integer(2, 200).default(16),
  ...eventsFields,
  GRPC_HOST: fields.text().default('0.0.0.0'),
  GRPC_PORT: fields.port().default(50051),
  RPC_TLS_CERT_FILE: fields.text().optional(),
  RPC_TLS_KEY_FILE: fields.text().optional(),
  RPC_TLS_CA_FILE: fields.text().optional(),
  BILLING_LEDGER_ADDR: fields.text().default('billing-ledger:50051'),
  GATEWAY_INFERENCE_ADDR: fields.text().default('gateway-inference:50051'),
  AGENT_REGISTRY_ADDR: fields.text().default('agent-registry:50051'),
  MODEL_CATALOG_FILE: fields.text().optional(),
  SANDBOX_PROVIDER: fields.bool().default(false),
  GITHUB_API_URL: fields.url().default(GITHUB_API_URL),
  GITHUB_CODELOAD_URL: fields.url().default(GITHUB_CODELOAD_URL),
  GITHUB_TOKEN: fields.text().optional(),
  COMPILE_MODEL: fields.text().optional(),
  WORK_SLOTS: fields.integer(1, 1_000).default(64),
  WORK_LEASE: fields.durationMs().default(12_000),
  WORK_HEARTBEAT: fields.durationMs().default(4_000),
  WORK_POLL: fields.durationMs().default(1_000),
  WORK_DRAIN: fields.durationMs().default(15_000),
  RUN_NOTIFY: fields.bool().default(true),
  RUN_RETENTION: fields.durationMs().default(30 * 24 * 60 * 60_000),
});

export type Config = ReturnType<typeof configFromEnv>;

/** The only reader of the environment in this service. */
export function configFromEnv(env: NodeJS.ProcessEnv) {
  const e = loadConfig(environment, env);
  return {
    logLevel: e.LOG_LEVEL,
    database: { url: e.DATABASE_URL, schema: e.DATABASE_SCHEMA, poolMax: e.DATABASE_POOL_MAX },
    events: e as EventsEnvironment,
    grpc: { host: e.GRPC_HOST, port: e.GRPC_PORT },
    tls: { certFile: e.RPC_TLS_CERT_FILE, keyFile: e.RPC_TLS_KEY_FILE, caFile: e.RPC_TLS_CA_FILE },
    peers: { billing: e.BILLING_LEDGER_ADDR, inference: e.GATEWAY_INFERENCE_ADDR, agents: e.AGENT_REGISTRY_ADDR },
    modelCatalogFile: e.MODEL_CATALOG_FILE,
    sandboxProvider: e.SANDBOX_PROVIDER,
    compile: {
      apiUrl: e.GITHUB_API_URL,
      codeloadUrl: e.GITHUB_CODELOAD_URL,
      token: e.GITHUB_TOKEN,
      defaultModel: e.COMPILE_MODEL ?? (e.SANDBOX_PROVIDER ? 'sandbox/echo-1' : undefined),
    },
    work: {
      /** Nodes that this process runs at the same time. */
      slots: e.WORK_SLOTS,
      /** After a crash somebody else takes over once this time has passed without a heartbeat. */
      leaseMs: e.WORK_LEASE,
      heartbeatMs: e.WORK_HEARTBEAT,
      /** The guarantee when a wake-up is lost. */
      pollMs: e.WORK_POLL,
      /** How long a stop lets nodes finish before they are handed over. */
      drainMs: e.WORK_DRAIN,
    },
    /** LISTEN/NOTIFY between processes; off behind a pooler that cannot carry it. */
    usesNotify: e.RUN_NOTIFY,
    /** Runs are kept so long after their end. */
    retentionMs: e.RUN_RETENTION,
  };
}
