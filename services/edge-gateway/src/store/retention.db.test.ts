import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { deleteInBatches } from './retention.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterEach(() => database.drop());

const insertRecord = `INSERT INTO idempotency_records (scope, path, key, body_hash, claim_id, claimed_until, expires_at)
  VALUES ('s', '/p', $1, '', gen_random_uuid(), now(), now() + $2::int * interval '1 hour')`;

async function texts(sql: string): Promise<string[]> {
  return (await database.pool.query<{ text: string }>(sql)).rows.map(({ text }) => text);
}

it('deletes expired idempotency records in batches, oldest first, and keeps the others', async () => {
  for (const [key, hours] of [
    ['oldest', -3],
    ['older', -2],
    ['old', -1],
    ['young', 1],
  ])
    await database.pool.query(insertRecord, [key, hours]);
  expect(await deleteInBatches(database.pool, 400, 2)).toBe(true);
  expect(await texts('SELECT key AS text FROM idempotency_records ORDER BY 1')).toEqual(['old', 'young']);
  expect(await deleteInBatches(database.pool, 400, 2)).toBe(false);
  expect(await texts('SELECT key AS text FROM idempotency_records')).toEqual(['young']);
});

it('skips rows that another replica is deleting', async () => {
  await database.pool.query(insertRecord, ['old', -1]);
  const other = await database.pool.connect();
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM idempotency_records FOR UPDATE');
  expect(await deleteInBatches(database.pool, 400, 1)).toBe(false);
  await other.query('COMMIT');
  other.release();
  expect(await deleteInBatches(database.pool, 400, 1)).toBe(true);
});

it('deletes expired sessions and refresh tokens and keeps those in force', async () => {
  const [account, user, past, present] = Array.from({ length: 4 }, () => randomUUID());
  await database.pool.query('INSERT INTO accounts (id) VALUES ($1)', [account]);
  await database.pool.query(
    `INSERT INTO users (id, account_id, email, email_key) VALUES ($1, $2, 'a@example.com', 'a@example.com')`,
    [user, account],
  );
  for (const [id, hours] of [
    [past, -1],
    [present, 1],
  ])
    await database.pool.query(
      `INSERT INTO sessions (id, user_id, expires_at) VALUES ($1, $2, now() + $3::int * interval '1 hour')`,
      [id, user, hours],
    );
  for (const [session, hours] of [
    [past, 1],
    [present, -1],
    [present, 1],
  ])
    await database.pool.query(
      `INSERT INTO refresh_tokens (token_hash, session_id, expires_at) VALUES ($1, $2, now() + $3::int * interval '1 hour')`,
      [randomBytes(32), session, hours],
    );
  await deleteInBatches(database.pool, 400, 10);
  expect(await texts('SELECT id::text AS text FROM sessions')).toEqual([present]);
  expect(await texts('SELECT session_id::text AS text FROM refresh_tokens')).toEqual([present]);
});

it('keeps known sign-in sources for 90 days and failed ones for a day', async () => {
  const insert = `INSERT INTO sign_in_sources (email_key, source, touched_at, succeeded_at)
    VALUES ('a', $1, now() - $2::int * interval '1 day', now() - $3::int * interval '1 day')`;
  await database.pool.query(insert, ['failed long ago', 2, null]);
  await database.pool.query(insert, ['failed now', 0, null]);
  await database.pool.query(insert, ['known', 80, 80]);
  await database.pool.query(insert, ['known long ago', 91, 91]);
  await deleteInBatches(database.pool, 400, 10);
  expect(await texts('SELECT source AS text FROM sign_in_sources ORDER BY 1')).toEqual(['failed now', 'known']);
});

it('keeps audit events as long as configured', async () => {
  const insert = `INSERT INTO audit_events (id, account_id, action, actor_kind, actor_id, address, request_id, at)
    VALUES (gen_random_uuid(), gen_random_uuid(), $1, 'user', 'u', 'a', 'r', now() - $2::int * interval '1 day')`;
  await database.pool.query(insert, ['old', 31]);
  await database.pool.query(insert, ['young', 29]);
  await deleteInBatches(database.pool, 30, 10);
  expect(await texts('SELECT action AS text FROM audit_events')).toEqual(['young']);
});
