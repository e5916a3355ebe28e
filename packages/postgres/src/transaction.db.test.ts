import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from './client.js';
import { createPool } from './pool.js';
import { type TestDatabase, testDatabase } from './test-database.js';
import { lockUntilCommit, withTransaction } from './transaction.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query('CREATE TABLE wallet (id int PRIMARY KEY, balance bigint NOT NULL)');
});

afterAll(async () => {
  await database.drop();
});

async function readBalance(id: number): Promise<bigint | undefined> {
  const result = await database.pool.query<{ balance: bigint }>('SELECT balance FROM wallet WHERE id = $1', [id]);
  return result.rows[0]?.balance;
}

describe('withTransaction', () => {
  it('commits what the callback wrote and returns its result', async () => {
    const result = await withTransaction(database.pool, async (tx) => {
      await tx.query('INSERT INTO wallet VALUES (1, 100)');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await readBalance(1)).toBe(100n);
  });

  it('rolls back and rethrows the same error of the callback', async () => {
    const failure = new Error('refused');
    const attempt = withTransaction(database.pool, async (tx) => {
      await tx.query('INSERT INTO wallet VALUES (2, 100)');
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await readBalance(2)).toBeUndefined();
  });

  it('throws when a swallowed statement error turned the commit into a rollback', async () => {
    const attempt = withTransaction(database.pool, async (tx) => {
      await tx.query('INSERT INTO wallet VALUES (3, 1)');
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(attempt).rejects.toThrow(/rolled back/);
    expect(await readBalance(3)).toBeUndefined();
  });

  it('runs READ COMMITTED unless the caller sets another isolation', async () => {
    const show = (isolation?: 'serializable') =>
      withTransaction(
        database.pool,
        async (tx) => (await tx.query('SHOW transaction_isolation')).rows[0],
        isolation ? { isolation } : {},
      );
    expect(await show()).toEqual({ transaction_isolation: 'read committed' });
    expect(await show('serializable')).toEqual({ transaction_isolation: 'serializable' });
  });

  it('discards a connection that broke in a transaction', async () => {
    const pool = createPool({ url: database.url, schema: database.schema, max: 1 });
    try {
      const attempt = withTransaction(pool, async (tx) => {
        const { rows } = await tx.query('SELECT pg_backend_pid() AS pid');
        await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
        await tx.query('SELECT 1');
      });
      await expect(attempt).rejects.toThrow();
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await pool.end();
    }
  });
});

describe('createPool', () => {
  it('keeps amounts beyond 2^53 exact', async () => {
    const { rows } = await database.pool.query('SELECT 9007199254740993::bigint AS amount');
    expect(rows).toEqual([{ amount: 9007199254740993n }]);
  });

  it('passes settings, including values with spaces, and resolves names in its schema', async () => {
    const pool = createPool({
      url: database.url,
      schema: database.schema,
      settings: { plan_cache_mode: 'force_generic_plan', 'tollgate.note': 'two words' },
    });
    const { rows } = await pool.query(
      `SELECT current_setting('plan_cache_mode') AS mode, current_setting('tollgate.note') AS note, current_schema() AS schema`,
    );
    await pool.end();
    expect(rows).toEqual([{ mode: 'force_generic_plan', note: 'two words', schema: database.schema }]);
  });

  it('survives the server closing its idle connections', async () => {
    const errors: Error[] = [];
    const pool = createPool({
      url: database.url,
      schema: database.schema,
      max: 1,
      onIdleError: (error) => errors.push(error),
    });
    const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
    const removed = new Promise((resolve) => pool.once('remove', resolve));
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    await removed;
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(errors).toHaveLength(1);
    await pool.end();
  });

  it('rejects a setting name that contains another option', () => {
    const build = () => createPool({ url: database.url, schema: 's', settings: { 'a=b -c fsync': 'off' } });
    expect(build).toThrow(/Not a PostgreSQL setting name/);
  });
});

describe('createClient', () => {
  it('reports a lost connection', async () => {
    const connection = await createClient({ url: database.url, schema: database.schema });
    const { rows } = await connection.client.query('SELECT pg_backend_pid() AS pid');
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    expect(await connection.lost).toBeInstanceOf(Error);
    expect(connection.isLost()).toBe(true);
    await connection.end();
  });

  it('does not report a deliberate end as a loss', async () => {
    const connection = await createClient({ url: database.url, schema: database.schema });
    await connection.end();
    expect(connection.isLost()).toBe(false);
  });
});

describe('lockUntilCommit', () => {
  const count = async (name: string, log: string[], word: string): Promise<void> =>
    withTransaction(database.pool, async (tx) => {
      await lockUntilCommit(tx, name);
      log.push(`${word} began`);
      await tx.query('SELECT pg_sleep(0.05)');
      log.push(`${word} ended`);
    });

  it('lets one transaction after the other hold a name', async () => {
    const log: string[] = [];
    await Promise.all([count('files/a', log, 'first'), count('files/a', log, 'second')]);
    const [began, ended] = log;
    expect(ended).toBe(began?.replace('began', 'ended'));
  });

  it('releases the name when the transaction is rolled back', async () => {
    const failure = new Error('refused');
    const attempt = withTransaction(database.pool, async (tx) => {
      await lockUntilCommit(tx, 'files/b');
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    await expect(count('files/b', [], 'next')).resolves.toBeUndefined();
  });

  it('does not wait for another name', async () => {
    await withTransaction(database.pool, async (tx) => {
      await lockUntilCommit(tx, 'files/c');
      await expect(count('files/d', [], 'other')).resolves.toBeUndefined();
    });
  });
});
