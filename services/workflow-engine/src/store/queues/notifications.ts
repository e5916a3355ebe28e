import { createClient, type DedicatedConnection, type Queryable } from '@tollgate/postgres';

/** Sends one NOTIFY per payload in one round trip. */
export async function notifyAll(db: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  await db.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads]);
}

/**
 * Opens a connection that calls `onPayload` for each notification of the channel, and closes it if it cannot listen.
 * The connection does not reopen itself: check `isLost()`.
 */
export async function openListener(
  database: { url: string; schema: string },
  channel: string,
  onPayload: (payload: string) => void,
): Promise<DedicatedConnection> {
  const applicationName = `${database.schema} wake-ups`;
  const connection = await createClient({ ...database, applicationName, statementTimeoutMs: 0 });
  connection.client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  try {
    await connection.client.query(`LISTEN "${channel}"`);
  } catch (error) {
    await connection.end();
    throw error;
  }
  return connection;
}
