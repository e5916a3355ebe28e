import type { Tx } from '@tollgate/postgres';
import type { Connection } from './database.js';

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
