/** How a connection is opened: shared by pools and single connections. */
export interface ConnectOptions {
  /** `postgresql://user:password@host:port/database`. */
  url: string;
  /** Schema that unqualified names resolve to; sets `search_path`. */
  schema: string;
  /** Shown in `pg_stat_activity`. Default: the schema's name. */
  applicationName?: string;
  /** Server settings for every session, such as `{ plan_cache_mode: 'force_generic_plan' }`. */
  settings?: Record<string, string>;
  /** How long opening a connection may take. Default 10 s. */
  connectTimeoutMs?: number;
  /** Limit of one statement, enforced by the server. Default 30 s; 0 = none. */
  statementTimeoutMs?: number;
}

const settingName = /^[a-z_][a-z0-9_.]*$/;

/**
 * The `options` start-up parameter (`-c name=value …`). Settings travel with the connection, so they cost no round trip
 * and hold from the first statement on. A pooler between us and the server must pass `options` through.
 */
export function startupOptions(options: ConnectOptions): string {
  const settings: Record<string, string> = {
    search_path: `"${options.schema.replaceAll('"', '""')}"`,
    statement_timeout: String(options.statementTimeoutMs ?? 30_000),
    // A transaction that its process forgot must not keep row locks for ever.
    idle_in_transaction_session_timeout: '60000',
    ...options.settings,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${checkedName(name)}=${escapeValue(value)}`)
    .join(' ');
}

function checkedName(name: string): string {
  if (!settingName.test(name)) throw new Error(`Not a PostgreSQL setting name: ${JSON.stringify(name)}`);
  return name;
}

/** The server splits `options` at white space; a backslash keeps the next character. */
function escapeValue(value: string): string {
  return value.replaceAll(/[\\\s]/g, (character) => `\\${character}`);
}
