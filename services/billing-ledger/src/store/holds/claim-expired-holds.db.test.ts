import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { explainStatement, migrate, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { claimExpiredHolds } from '../gen/holds/claim-expired-holds.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase('expired_holds');
  const { url, schema } = database;
  await migrate({ url, schema, directory: new URL('../../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('DELETE FROM holds'));

const claim = (limit: number, except: string[] = []) =>
  claimExpiredHolds(database.pool, { limit, except, claimMs: 60_000 });

/** Inserts open holds that expired, the first one longest ago. */
async function insertExpired(owner: string, count: number, secondsAgo: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO holds (request_id, account_ids, amounts, expires_at, owner_account_id, terms, model_id)
     SELECT gen_random_uuid(), '{}', '{}', now() - $3::int * interval '1 second' + i * interval '1 millisecond', $1, '{}', 'm'
     FROM generate_series(1, $2::int) AS i`,
    [owner, count, secondsAgo],
  );
}

it('claims each expired hold once, also for callers at the same time', async () => {
  await insertExpired(randomUUID(), 50, 100);
  const claims = await Promise.all([claim(30), claim(30), claim(30)]);
  const ids = claims.flat().map((row) => row.request_id);
  expect(new Set(ids).size).toBe(ids.length);
  const rest = await claim(50);
  expect(new Set([...ids, ...rest.map((row) => row.request_id)]).size).toBe(50);
  expect(await claim(50)).toEqual([]);
});

it('gives every owner a share, however many older holds another one has', async () => {
  const [large, small] = [randomUUID(), randomUUID()];
  await insertExpired(large, 300, 1_000);
  await insertExpired(small, 3, 10);
  const owners = (await claim(20)).map((row) => row.owner_account_id);
  expect(owners.filter((owner) => owner === small)).toHaveLength(3);
  expect(owners).toHaveLength(20);
});

it('leaves out the owners that it is given', async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  await insertExpired(busy, 1_500, 1_000);
  await insertExpired(other, 2, 10);
  expect((await claim(20, [busy])).map((row) => row.owner_account_id)).toEqual([other, other]);
});

it('takes a claim over when it has ended', async () => {
  await insertExpired(randomUUID(), 1, 10);
  expect(await claim(1)).toHaveLength(1);
  await database.pool.query(`UPDATE holds SET expiry_claimed_until = now() - interval '1 second'`);
  expect(await claim(1)).toHaveLength(1);
});

it('reads a part of the open holds and none of the ended ones, however many there are', async () => {
  await insertExpired(randomUUID(), 10_000, 10_000);
  await database.pool.query(
    `INSERT INTO holds (request_id, state, account_ids, amounts, expires_at, settled_at, owner_account_id, terms, model_id)
     SELECT gen_random_uuid(), 1, '{}', '{}', now(), now(), gen_random_uuid(), '{}', 'm' FROM generate_series(1, 10000);
     ANALYZE holds`,
  );
  const read = await explainStatement(database.pool, (db) =>
    claimExpiredHolds(db, { limit: 200, except: [], claimMs: 60_000 }),
  );
  expect(read.sequentialScans).toEqual([]);
  expect(read.indexes.toSorted()).toEqual(['holds_open_expires_at_idx', 'holds_pkey']);
  expect(read.rowsRead).toBeLessThanOrEqual(1_000 + 200 + 200);
});
