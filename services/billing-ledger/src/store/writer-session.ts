import type { Connection } from './database.js';

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
