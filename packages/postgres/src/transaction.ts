import type pg from 'pg';

/** Anything that runs a statement: a pool, a pooled connection, a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** A connection inside an open transaction. Only `withTransaction` provides it; it ends with the callback. */
export type Tx = Queryable & { readonly [inTransaction]?: true };

declare const inTransaction: unique symbol;

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/**
 * Runs `fn` in one transaction: commits when it resolves, rolls back when it throws (and rethrows the same error).
 * READ COMMITTED by default: callers take row locks in a fixed order instead of retrying.
 * Destroys a connection whose rollback or commit failed instead of returning it to the pool.
 */
export async function withTransaction<T>(
  pool: pg.Pool,
  fn: (tx: Tx) => Promise<T>,
  options: { isolation?: Isolation } = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(options.isolation ? `BEGIN ISOLATION LEVEL ${isolationSql[options.isolation]}` : 'BEGIN');
    const result = await fn(client as Tx);
    const commit = await client.query('COMMIT');
    // The server answers COMMIT of a failed transaction with ROLLBACK and no error.
    if (commit.command === 'ROLLBACK') throw new Error('The transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Waits until no other transaction of this database holds `name`, and holds it until the end of this one: for rules about rows
 * that do not exist yet, such as a limit on how many a project has. Count in a later statement, which
 * sees the rows of the last holder. `name` is made of what is locked and its id.
 */
export async function lockUntilCommit(tx: Queryable, name: string): Promise<void> {
  await tx.query({
    name: 'lock_until_commit',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [name],
  });
}

const isolationSql: Record<Isolation, string> = {
  'read committed': 'READ COMMITTED',
  'repeatable read': 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
};
