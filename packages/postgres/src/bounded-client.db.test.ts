import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createClient } from './client.js';
import { createPool } from './pool.js';
import { type TestDatabase, testDatabase } from './test-database.js';
import { withTransaction } from './transaction.js';

let database: TestDatabase;
const stopped = new Set<number>();
/** Enough for a statement or a new connection on a loaded machine. */
const ANSWER_MS = 2_000;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});
afterAll(async () => {
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  await database.drop();
});

const bounds = (answerTimeoutMs: number) => ({ url: database.url, schema: database.schema, max: 1, answerTimeoutMs });

/** Suspends the server process behind a connection, as a hung host would. */
async function suspend(db: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  stopped.add(pid);
}

describe('a connection whose server hangs', () => {
  it('fails the statement of a pool and serves the next one on a new connection', async () => {
    const pool = createPool(bounds(ANSWER_MS));
    await suspend(pool);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('fails a transaction at its hung statement without waiting for the rollback', async () => {
    const pool = createPool(bounds(ANSWER_MS));
    const startedAt = performance.now();
    const attempt = withTransaction(pool, async (tx) => {
      await suspend(tx);
      await tx.query('SELECT 1');
    });
    await expect(attempt).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(performance.now() - startedAt).toBeLessThan(20 * ANSWER_MS);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('reports a dedicated connection as lost', async () => {
    const connection = await createClient(bounds(ANSWER_MS));
    await suspend(connection.client);
    await expect(connection.client.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(await connection.lost).toMatchObject({ code: 'ETIMEDOUT' });
    await connection.end();
  });
});

describe('a connection whose server answers', () => {
  it('limits each statement, not the time between statements nor a queue of them', async () => {
    const connection = await createClient(bounds(ANSWER_MS));
    const { client } = connection;
    await client.query('SELECT 1');
    await new Promise((resolve) => setTimeout(resolve, 1.1 * ANSWER_MS));
    await Promise.all([1, 2, 3].map(() => client.query('SELECT pg_sleep($1::float8)', [(0.4 * ANSWER_MS) / 1_000])));
    expect(connection.isLost()).toBe(false);
    await connection.end();
  });

  it('has no limit where the statement limit is 0', async () => {
    const connection = await createClient({ url: database.url, schema: database.schema, statementTimeoutMs: 0 });
    await connection.client.query('SELECT pg_sleep(0.1)');
    expect(connection.isLost()).toBe(false);
    await connection.end();
  });
});

describe('a connection that breaks while it is checked out and idle', () => {
  it('fails the next statement instead of ending the process', async () => {
    const pool = createPool(bounds(0));
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
    client.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('a session', () => {
  it('passes the lock and idle-transaction limits to the server', async () => {
    const pool = createPool({ ...bounds(0), lockTimeoutMs: 250, idleInTransactionTimeoutMs: 5_000 });
    const { rows } = await pool.query(
      `SELECT current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`,
    );
    await pool.end();
    expect(rows).toEqual([{ lock: '250ms', idle: '5s' }]);
  });
});
