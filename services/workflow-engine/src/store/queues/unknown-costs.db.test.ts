import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase, withTransaction } from '@tollgate/postgres';
import { recordUnusedHold } from './unknown-costs.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());

it('makes the release of an unused hold due in the moment in which it is recorded', async () => {
  for (let i = 0; i < 20; i += 1) {
    await withTransaction(database.pool, async (tx) => {
      await recordUnusedHold(tx, {
        ref: { runId: randomUUID(), nodeId: 'a', step: 0, attempt: 1 },
        holdId: randomUUID(),
      });
      const { rows } = await tx.query('SELECT FROM run_unknown_costs WHERE due_at > now()');
      expect(rows).toEqual([]);
    });
  }
});
