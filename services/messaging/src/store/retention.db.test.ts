import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { deleteOldMessages } from './retention.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterEach(() => database.drop());

async function insert(ageDays: number): Promise<string> {
  const id = randomUUID();
  await database.pool.query(
    `INSERT INTO messages (id, project_id, from_address, to_address, subject, body, thread_id, created_at)
     VALUES ($1, $1, 'a', 'b', '', '{}', $1, now() - $2::int * interval '1 day')`,
    [id, ageDays],
  );
  return id;
}

async function remaining(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM messages ORDER BY seq');
  return rows.map(({ id }) => id);
}

it('deletes messages past their retention in batches, oldest first, and keeps the others', async () => {
  await insert(12);
  const second = await insert(11);
  const third = await insert(11);
  const young = await insert(9);
  expect(await deleteOldMessages(database.pool, 10, 1)).toBe(1);
  expect(await remaining()).toEqual([second, third, young]);
  expect(await deleteOldMessages(database.pool, 10, 10)).toBe(2);
  expect(await deleteOldMessages(database.pool, 10, 10)).toBe(0);
  expect(await remaining()).toEqual([young]);
});

it('skips messages that another replica is deleting', async () => {
  await insert(12);
  await insert(12);
  const other = await database.pool.connect();
  await other.query('BEGIN');
  expect(await deleteOldMessages(other, 10, 1)).toBe(1);
  expect(await deleteOldMessages(database.pool, 10, 5)).toBe(1);
  await other.query('COMMIT');
  other.release();
  expect(await remaining()).toEqual([]);
});
