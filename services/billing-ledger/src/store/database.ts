import type { Tx } from '@tollgate/postgres';
import type pg from 'pg';

/** Handles that operations and workers pass on to the store, which alone runs statements on them. */
export type Pool = pg.Pool;
/** The dedicated connection of a ledger writer. */
export type Connection = pg.Client;

/** Like `withTransaction`, on the writer's dedicated connection instead of a pooled one. */
export async function inTransaction<T>(client: Connection, fn: (tx: Tx) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await fn(client as Tx);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // If the rollback also fails, the connection is lost and the server rolls back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Throws if the connection's server does not answer. */
export async function pingServer(connection: Connection): Promise<void> {
  await connection.query('SELECT 1');
}

/** Returns the id of the server process of a connection; the driver's types lack it. */
export function readProcessId(connection: Connection | undefined): number | undefined {
  return (connection as { processID?: number } | undefined)?.processID;
}

/** Terminates a server process. The name protects another session that got the same process id since. */
export async function terminateProcess(connection: Connection, pid: number, applicationName: string): Promise<void> {
  const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2';
  await connection.query(sql, [pid, applicationName]);
}

/** How long a transaction may idle before the server ends it and releases its row locks. */
export const LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** How long a statement outside the writer waits for a row lock. */
export const POOL_LOCK_TIMEOUT_MS = 2_000;
/** How long a batch of the writer waits for a row lock before it is split by tenant. */
export const WRITER_LOCK_TIMEOUT_MS = 300;
/** How long a batch of a locked tenant waits for its rows, on the second connection. */
export const LOCKED_TENANT_LOCK_TIMEOUT_MS = 1_000;
/** Statements that are read at once. One account reads at most two of them, so that others find a connection. */
export const STATEMENTS_MAX = 4;
/** Connections that read statements. */
export const STATEMENT_POOL = {
  applicationName: 'statements',
  max: STATEMENTS_MAX,
  connectTimeoutMs: 3_000,
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: LEDGER_IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/** Returns constants of the code as a list of SQL literals, for `IN (…)` in a statement's text. */
export function literalList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
