import type { BoundedClientConfig } from './bounded-client.js';
import { serversFor } from './servers.js';
import { resultTypes } from './types.js';

/** Default limit of opening a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Settings of sessions that only run queue statements. Their tables can grow from empty to large within a minute,
 * before the statistics are updated: a plan made for an empty table would scan a large one. Every statement goes
 * through an index, so its plan is made once and for that index.
 */
export const QUEUE_SESSION_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const;

/** Default limit of one statement, enforced by the server. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** Default limit of an open transaction without a statement, enforced by the server; its row locks end with it. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** How much longer than the server's statement limit the client waits before it destroys the connection. */
const ANSWER_GRACE_MS = 5_000;

/** Options of pools and dedicated connections. */
export interface ConnectOptions {
  /** `postgresql://user:password@host:port/database`; with several hosts, that one of them is used that accepts writes. */
  url: string;
  /** The schema of unqualified names; sets `search_path`. */
  schema: string;
  /** Shown in `pg_stat_activity`. Default: the schema's name. */
  applicationName?: string;
  /** Server settings for every session, such as `{ plan_cache_mode: 'force_generic_plan' }`. */
  settings?: Record<string, string>;
  /** How long opening a connection may take. Default: {@link CONNECT_TIMEOUT_MS}. */
  connectTimeoutMs?: number;
  /** Limit of one statement, enforced by the server. Default: {@link STATEMENT_TIMEOUT_MS}; 0 = none. */
  statementTimeoutMs?: number;
  /**
   * How long a statement may stay unanswered before the client destroys the connection: the only limit that holds when
   * the server or the network hangs. Default: the statement's limit and 5 s more; 0 = none.
   */
  answerTimeoutMs?: number;
  /** Limit of waiting for one row lock, enforced by the server (SQLSTATE 55P03). Default: none. */
  lockTimeoutMs?: number;
  /** Limit of an idle open transaction, enforced by the server. Default: {@link IDLE_IN_TRANSACTION_TIMEOUT_MS}. */
  idleInTransactionTimeoutMs?: number;
}

/** Returns the configuration of a connection. Every session accepts writes, and sees the schema of its service. */
export function toClientConfig(options: ConnectOptions): BoundedClientConfig {
  const servers = serversFor(options.url);
  const sessionSettings = toSessionSettings(options);
  return {
    servers,
    sessionSettings,
    connectionString: servers.urls[0],
    application_name: options.applicationName ?? options.schema,
    options: startupOptions(sessionSettings),
    types: resultTypes,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    answerTimeoutMs: answerTimeoutMs(options),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

const settingName = /^[a-z_][a-z0-9_.]*$/;

/** Returns the settings of every session of the connection's kind. @throws Error for a name that is no setting */
function toSessionSettings(options: ConnectOptions): Record<string, string> {
  const settings: Record<string, string> = {
    search_path: `"${options.schema.replaceAll('"', '""')}"`,
    statement_timeout: String(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
    lock_timeout: String(options.lockTimeoutMs ?? 0),
    idle_in_transaction_session_timeout: String(options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS),
    ...options.settings,
  };
  for (const name of Object.keys(settings))
    if (!settingName.test(name)) throw new Error(`Not a PostgreSQL setting name: ${JSON.stringify(name)}`);
  return settings;
}

/** Returns the `options` start-up parameter (`-c name=value …`): settings that apply from the first statement on. */
function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escapeValue(value)}`)
    .join(' ');
}

/** Returns the client's own limit of a statement; 0 = none. */
function answerTimeoutMs(options: ConnectOptions): number {
  const statementMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return options.answerTimeoutMs ?? (statementMs === 0 ? 0 : statementMs + ANSWER_GRACE_MS);
}

/** Escapes white space, at which the server splits `options`. */
function escapeValue(value: string): string {
  return value.replaceAll(/[\\\s]/g, (character) => `\\${character}`);
}
