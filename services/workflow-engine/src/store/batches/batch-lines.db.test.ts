import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { FIRST_ID } from '../queues/walk.js';
import { putBackLine, readLineBody } from './batch-lines.js';
import { type ClaimBounds, claimLines } from './line-claim.js';
import { readResults } from './line-results.js';

const lease = { owner: randomUUID(), leaseMs: 60_000 };
const BOUNDS: ClaimBounds = {
  slots: 32,
  accountConcurrency: 16,
  callerConcurrency: 8,
  bytes: 1_000,
  accountBytes: 1_000,
  callerBytes: 1_000,
};

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('DELETE FROM batches'));

/** Stores a batch in progress whose lines have bodies and answers of the sizes. */
async function insertBatch(
  bodies: readonly number[],
  answers: readonly (number | null)[] = [],
  accountId?: string,
): Promise<string> {
  const batchId = randomUUID();
  const owner = accountId ?? batchId;
  await database.pool.query(
    `INSERT INTO batches (batch_id, account_id, project_id, principal, endpoint, input_file_id, output_ttl_seconds, status, expires_at)
     VALUES ($1, $2, $1, '', '/v1/responses', $1, 0, 'in_progress', now() + interval '1 h')`,
    [batchId, owner],
  );
  for (const [i, size] of bodies.entries()) {
    const answer = answers[i] ? 'a'.repeat(answers[i]) : null;
    await database.pool.query(
      `INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body, answer, due_at)
       VALUES ($1, $5, $2::int, $2::text, $3, $4, now() - interval '1 s')`,
      [batchId, i + 1, 'b'.repeat(size), answer, owner],
    );
  }
  return batchId;
}

const claim = (bounds: Partial<ClaimBounds>) =>
  withTransaction(database.pool, async (tx) => (await claimLines(tx, lease, { ...BOUNDS, ...bounds }, FIRST_ID)).items);

describe('claimLines', () => {
  it('skips further lines when those before fill the bytes of the process', async () => {
    await insertBatch([60, 60, 60, 60]);
    const items = await claim({ bytes: 100 });
    expect(items.map(({ bytes }) => bytes)).toEqual([60, 60]);
    expect(await claim({ bytes: 0 })).toEqual([]);
  });

  it('counts the lines of an account that are in progress, and claims those of others', async () => {
    const batchId = await insertBatch([60, 60, 60, 60]);
    expect(await claim({ accountBytes: 100 })).toHaveLength(2);
    const other = await insertBatch([10]);
    expect((await claim({ accountBytes: 100 })).map((item) => item.batchId)).toEqual([other]);
    expect(batchId).not.toBe(other);
  });

  it('gives no caller all places of its account, and gives callers turns', async () => {
    const accountId = randomUUID();
    const [busy, other] = [
      await insertBatch(Array(9).fill(1), [], accountId),
      await insertBatch([1, 1], [], accountId),
    ];
    expect((await claim({ slots: 2 })).map(({ batchId }) => batchId).sort()).toEqual([busy, other].sort());
    const bounds = { accountConcurrency: 4, callerConcurrency: 2 };
    expect((await claim(bounds)).map(({ batchId }) => batchId).sort()).toEqual([busy, other].sort());
    expect(await claim(bounds)).toEqual([]);
  });

  it('lets the bytes of one caller hold up no other caller of its account', async () => {
    const accountId = randomUUID();
    await insertBatch([60, 60, 60, 60], [], accountId);
    expect(await claim({ callerBytes: 100 })).toHaveLength(2);
    const other = await insertBatch([10], [], accountId);
    expect((await claim({ callerBytes: 100 })).map(({ batchId }) => batchId)).toEqual([other]);
  });

  it('claims a line that is larger than the bounds alone', async () => {
    await insertBatch([500, 500]);
    expect(await claim({ bytes: 100, accountBytes: 100 })).toHaveLength(1);
  });
});

describe('putBackLine', () => {
  it('makes the line due in the same moment when there is no delay', async () => {
    await insertBatch([3]);
    for (let i = 0; i < 20; i += 1) {
      await withTransaction(database.pool, async (tx) => {
        const { items } = await claimLines(tx, lease, BOUNDS, FIRST_ID);
        const [item] = items;
        await putBackLine(tx, item!, { delayMs: 0, next: 'same', counts: 'nothing' });
        const [again] = (await claimLines(tx, lease, BOUNDS, FIRST_ID)).items;
        expect(again).toMatchObject({ line: 1 });
        await putBackLine(tx, again!, { delayMs: 0, next: 'same', counts: 'nothing' });
      });
    }
  });
});

describe('readLineBody', () => {
  it('returns the body under the lease only', async () => {
    await insertBatch([3]);
    const [item] = await claim({});
    expect(await readLineBody(database.pool, item!)).toBe('bbb');
    expect(await readLineBody(database.pool, { ...item!, epoch: item!.epoch + 1 })).toBeUndefined();
  });
});

describe('readResults', () => {
  it('ends a page with the answer that fills its bytes, and reads every line once', async () => {
    const batchId = await insertBatch([1, 1, 1, 1, 1, 1], [60, 60, 60, null, 500, 10]);
    const pages: number[][] = [];
    for (let after = 0; ; ) {
      const read = () =>
        withTransaction(database.pool, (tx) => readResults(tx, batchId, after, { lines: 4, bytes: 100 }));
      const page = (await read()).map(({ line }) => line);
      if (page.length === 0) break;
      pages.push(page);
      after = page.at(-1)!;
    }
    expect(pages).toEqual([[1, 2], [3, 4, 5], [6]]);
  });
});
