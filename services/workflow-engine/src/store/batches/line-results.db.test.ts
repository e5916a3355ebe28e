import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { readResults } from './batch-lines.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('DELETE FROM batches'));

/** Stores a batch in progress whose lines have bodies and answers of the sizes. */
async function insertBatch(bodies: readonly number[], answers: readonly (number | null)[]): Promise<string> {
  const batchId = randomUUID();
  await database.pool.query(
    `INSERT INTO batches (batch_id, account_id, project_id, principal, endpoint, input_file_id, output_ttl_seconds, status, expires_at)
     VALUES ($1, $1, $1, '', '/v1/responses', $1, 0, 'in_progress', now() + interval '1 h')`,
    [batchId],
  );
  for (const [i, size] of bodies.entries()) {
    const answer = answers[i] ? 'a'.repeat(answers[i]) : null;
    await database.pool.query(
      `INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body, answer, due_at)
       VALUES ($1, $1, $2::int, $2::text, $3, $4, now() - interval '1 s')`,
      [batchId, i + 1, 'b'.repeat(size), answer],
    );
  }
  return batchId;
}

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
