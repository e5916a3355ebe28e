// Tests that the steps of batches read a bounded part of the batches, however many are unfinished.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createPool,
  FIRST_ID,
  type Pool,
  QUEUE_SESSION_SETTINGS,
  type TestDatabase,
  testDatabase,
  withTransaction,
} from '@tollgate/postgres';
import { batchLines, endLine } from './batch-lines.js';
import { expireBatches, finalizeBatches, lockBatchStep } from './batches.js';

const READ_MAX = 6_000;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
  pool = createPool({ url: database.url, schema: database.schema, max: 1, settings: QUEUE_SESSION_SETTINGS });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => database.pool.query('TRUNCATE batches, batch_lines CASCADE'));

interface Batches {
  count: number;
  accounts: number;
  status?: string;
  expiresIn?: string;
  total?: number;
  lines?: number;
}

/** Stores batches, each with the number of lines. */
async function add({ count, accounts, status = 'in_progress', expiresIn = '1 h', total = 9, lines = 0 }: Batches) {
  await database.pool.query(
    `WITH added AS (
       INSERT INTO batches (batch_id, account_id, project_id, principal, endpoint, input_file_id, output_ttl_seconds, status, total, expires_at)
       SELECT gen_random_uuid(), account, account, '', '/v1/responses', account, 0, $3, $5, now() + $4::interval
       FROM generate_series(1, $1::int) AS n CROSS JOIN LATERAL (SELECT md5('account' || n % $2::int)::uuid AS account) AS a
       RETURNING batch_id, account_id)
     INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body)
     SELECT batch_id, account_id, line, line::text, '{}' FROM added, generate_series(1, $6::int) AS line`,
    [count, accounts, status, expiresIn, total, lines],
  );
  await database.pool.query('VACUUM (ANALYZE) batches');
  await database.pool.query('VACUUM (ANALYZE) batch_lines');
}

/** Returns the pages and the entries of indexes and tables that `work` reads, the larger number. */
async function countRead(work: (tx: Pool) => Promise<unknown>): Promise<number> {
  const text = `SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::int AS pages,
                       coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int AS entries
                FROM pg_class WHERE relnamespace = $1::regnamespace AND relname LIKE 'batch%'`;
  return withTransaction(pool, async (tx) => {
    const read = async () => (await tx.query<{ pages: number; entries: number }>(text, [database.schema])).rows[0]!;
    const before = await read();
    await work(tx as unknown as Pool);
    const after = await read();
    return Math.max(after.pages - before.pages, after.entries - before.entries);
  });
}

const countStatus = async (status: string) => {
  const text = 'SELECT count(*)::int AS count FROM batches WHERE status = $1';
  return (await database.pool.query<{ count: number }>(text, [status])).rows[0]!.count;
};

describe.each([
  ['in progress', { status: 'in_progress' }],
  ['validated', { status: 'validating' }],
  ['canceled, with lines in the queue', { status: 'cancelling', lines: 1 }],
])('each step beside 20,000 batches that are %s', (_what, state) => {
  it('reads a bounded part of them', async () => {
    await add({ count: 20_000, accounts: 400, ...state });
    expect(await countRead(expireBatches)).toBeLessThan(READ_MAX);
    expect(await countRead((tx) => finalizeBatches(tx, FIRST_ID))).toBeLessThan(READ_MAX);
    expect(await countRead((tx) => lockBatchStep(tx as never, FIRST_ID))).toBeLessThan(READ_MAX);
  });
});

describe('a step', () => {
  it('passes batches whose lines are in progress', async () => {
    await add({ count: 1, accounts: 1, lines: 1 });
    const lease = { owner: randomUUID(), leaseMs: 60_000 };
    const bounds = {
      slots: 9,
      bytes: 99,
      accountConcurrency: 9,
      accountBytes: 99,
      callerConcurrency: 9,
      callerBytes: 99,
    };
    const { items } = await withTransaction(pool, (tx) =>
      batchLines.claim(tx, lease, { ...bounds, smallBytes: 0, requestBytes: 9 }, FIRST_ID),
    );
    await database.pool.query(`UPDATE batches SET status = 'cancelling'`);
    const lock = () => withTransaction(pool, async (tx) => (await lockBatchStep(tx, FIRST_ID)).batch?.status);
    expect(await lock()).toBeUndefined();
    await batchLines.putBack(pool, items[0]!, { delayMs: 0, next: 'lost', counts: 'nothing' });
    expect(await lock()).toBeUndefined();
    await database.pool.query('UPDATE batch_lines SET is_dispatched = false');
    expect(await lock()).toBe('cancelling');
  });

  it('ends the window of a bounded number of batches at once, those that ended first before the others', async () => {
    await add({ count: 150, accounts: 10, expiresIn: '-1 h' });
    await add({ count: 1, accounts: 1, expiresIn: '-2 h', status: 'validating' });
    await expireBatches(pool);
    expect(await countStatus('validating')).toBe(0);
    expect(await countStatus('finalizing')).toBe(100);
    await expireBatches(pool);
    expect(await countStatus('finalizing')).toBe(151);
  });

  it('finds all batches that the previous version left at their last line', async () => {
    await add({ count: 250, accounts: 10 });
    await add({ count: 20, accounts: 10, total: 0 });
    let after = FIRST_ID;
    let pages = 0;
    do {
      after = await finalizeBatches(pool, after);
      pages += 1;
    } while (after !== FIRST_ID);
    expect(pages).toBe(3);
    expect(await countStatus('finalizing')).toBe(20);
  });
});

describe('the last line of a batch', () => {
  it.each([
    ['in_progress', 'finalizing'],
    ['cancelling', 'cancelling'],
  ])('moves a batch that is %s to %s', async (before, after) => {
    await add({ count: 1, accounts: 1, lines: 2, total: 2 });
    const lease = { owner: randomUUID(), leaseMs: 60_000 };
    const bounds = {
      slots: 9,
      bytes: 99,
      accountConcurrency: 9,
      accountBytes: 99,
      callerConcurrency: 9,
      callerBytes: 99,
    };
    const { items } = await withTransaction(pool, (tx) =>
      batchLines.claim(tx, lease, { ...bounds, smallBytes: 0, requestBytes: 9 }, FIRST_ID),
    );
    await database.pool.query('UPDATE batches SET status = $1', [before]);
    const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 };
    const end = { statusCode: 200, answer: '{}', isSuccess: true, usage };
    await endLine(pool, items[0]!, end);
    expect(await countStatus(before)).toBe(1);
    await endLine(pool, items[1]!, { ...end, isSuccess: false });
    expect(await countStatus(after)).toBe(1);
  });
});
