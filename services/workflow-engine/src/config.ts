import { GITHUB_API_URL, GITHUB_CODELOAD_URL } from '@tollgate/plugin-compiler';
import { fields } from '@tollgate/runtime';
import { defineConfig, sharedFields } from '@tollgate/service';

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'workflow-engine',
  usesEvents: true,
  peers: ['agent-registry', 'billing-ledger', 'gateway-inference'],
  fields: {
    /** Too low: nodes wait for a connection and their steps are late. */
    DATABASE_POOL_MAX: fields.integer(2, 500).default(16),
    /** Default 15 s: nodes that are not finished by then are handed over to another process. */
    DRAIN_TIMEOUT: fields.durationMs().default(15_000),
    MODEL_CATALOG_FILE: sharedFields.MODEL_CATALOG_FILE,
    PROMPT_OVERHEAD_TOKENS: sharedFields.PROMPT_OVERHEAD_TOKENS,
    SANDBOX_PROVIDER: sharedFields.SANDBOX_PROVIDER,
    /** Replaces GitHub with another server, which may have a private address. */
    GITHUB_API_URL: fields.url().default(GITHUB_API_URL),
    GITHUB_CODELOAD_URL: fields.url().default(GITHUB_CODELOAD_URL),
    /** Raises GitHub's rate limit. With an invalid token every compilation fails. */
    GITHUB_TOKEN: fields.text().optional(),
    /** Drafts workflows for requests that name no model. With an unknown model these requests fail. */
    COMPILE_MODEL: fields.text().optional(),
    /** Nodes in progress in this process. Too high: connections run out. Too low: runs wait in the queue. */
    WORK_SLOTS: fields.integer(1, 1_000).default(64),
    /** Work without a heartbeat for this long is taken over by another process. Above 8 s: later than documented. */
    WORK_LEASE: fields.durationMs().default(8_000),
    /** At most a quarter of WORK_LEASE: two heartbeats may then fail, or the process pause for three, without a loss. */
    WORK_HEARTBEAT: fields.durationMs().default(2_000),
    /** How soon work is found when a notification is lost. */
    WORK_POLL: fields.durationMs().default(1_000),
    /** Set it to 0 behind a pooler without LISTEN: work and events of other processes are then found by polling. */
    RUN_NOTIFY: fields.bool().default(true),
    /** How long ended runs are kept. */
    RUN_RETENTION: fields.durationMs().default(30 * 24 * 60 * 60_000),
  },
  toConfig: (env) => ({
    modelCatalogFile: env.MODEL_CATALOG_FILE,
    promptOverheadTokens: env.PROMPT_OVERHEAD_TOKENS,
    sandboxProvider: env.SANDBOX_PROVIDER,
    compile: {
      apiUrl: env.GITHUB_API_URL,
      codeloadUrl: env.GITHUB_CODELOAD_URL,
      token: env.GITHUB_TOKEN,
      defaultModel: env.COMPILE_MODEL ?? (env.SANDBOX_PROVIDER ? 'sandbox/echo-1' : undefined),
    },
    work: {
      slots: env.WORK_SLOTS,
      leaseMs: env.WORK_LEASE,
      heartbeatMs: env.WORK_HEARTBEAT,
      pollMs: env.WORK_POLL,
      drainMs: env.DRAIN_TIMEOUT,
    },
    usesNotify: env.RUN_NOTIFY,
    retentionMs: env.RUN_RETENTION,
  }),
});

export type Config = ReturnType<typeof configFromEnv>;
