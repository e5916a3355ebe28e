import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { createClient } from './client.js';
import { createPool } from './pool.js';
import { type TestDatabase, testDatabase } from './test-database.js';
import { withTransaction } from './transaction.js';

let database: TestDatabase;
const stopped = new Set<number>();
/** Of the test's clock: a loaded machine does not use it up. */
const ANSWER_MS = 2_000;
const REAL = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

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

/** Once the statement is sent, which a pool does a turn later. */
async function leaveUnanswered(): Promise<void> {
  await nextTurn();
  await jest.advanceTimersByTimeAsync(ANSWER_MS);
}

describe('a connection whose server hangs', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: [...REAL] }));
  afterEach(() => void jest.useRealTimers());

  it('fails the statement of a pool and serves the next one on a new connection', async () => {
    const pool = createPool(bounds(ANSWER_MS));
    await suspend(pool);
    const answer = expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await leaveUnanswered();
    await answer;
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('fails a transaction at its hung statement without waiting for the rollback', async () => {
    const pool = createPool(bounds(ANSWER_MS));
    const attempt = withTransaction(pool, async (tx) => {
      await suspend(tx);
      const answer = tx.query('SELECT 1');
      // No more time passes: the rollback, which would hang, too, cannot fail by its limit.
      void leaveUnanswered();
      await answer;
    });
    await expect(attempt).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('reports a dedicated connection as lost', async () => {
    const connection = await createClient(bounds(ANSWER_MS));
    await suspend(connection.client);
    const answer = expect(connection.client.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await leaveUnanswered();
    await answer;
    expect(await connection.lost).toMatchObject({ code: 'ETIMEDOUT' });
    await connection.end();
  });
});

describe('a connection whose server answers', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: [...REAL] }));
  afterEach(() => void jest.useRealTimers());

  it('limits each statement, not the time between statements nor a queue of them', async () => {
    const connection = await createClient(bounds(ANSWER_MS));
    const { client } = connection;
    await client.query('SELECT 1');
    await jest.advanceTimersByTimeAsync(1.1 * ANSWER_MS);
    const holder = await database.pool.connect();
    const locks = [1, 2, 3];
    for (const lock of locks) await holder.query('SELECT pg_advisory_lock($1)', [lock]);
    const answers = locks.map((lock) => client.query('SELECT pg_advisory_lock($1)', [lock]));
    const allAnswered = Promise.allSettled(answers);
    for (const lock of locks) {
      await jest.advanceTimersByTimeAsync(0.4 * ANSWER_MS);
      await holder.query('SELECT pg_advisory_unlock($1)', [lock]);
      await Promise.allSettled([answers[lock - 1]]);
    }
    holder.release();
    expect((await allAnswered).map(({ status }) => status)).toEqual(locks.map(() => 'fulfilled'));
    expect(connection.isLost()).toBe(false);
    await connection.end();
  });

  it('has no limit where the statement limit is 0', async () => {
    const connection = await createClient({ url: database.url, schema: database.schema, statementTimeoutMs: 0 });
    const holder = await database.pool.connect();
    await holder.query('SELECT pg_advisory_lock(4)');
    const answer = connection.client.query('SELECT pg_advisory_lock(4)');
    await jest.advanceTimersByTimeAsync(3_600_000);
    await holder.query('SELECT pg_advisory_unlock(4)');
    await answer;
    holder.release();
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
