import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());

it('has the columns that the statements of the store use', async () => {
  const { rows } = await database.pool.query<{ text: string }>(
    `SELECT column_name || ' ' || udt_name || CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END AS text
     FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'messages' ORDER BY ordinal_position`,
    [database.schema],
  );
  expect(rows.map(({ text }) => text)).toEqual([
    'id uuid',
    'seq int8',
    'project_id uuid',
    'customer_id uuid null',
    'from_address text',
    'to_address text',
    'subject text',
    'body text',
    'thread_id uuid',
    'created_at timestamptz',
    'read_at timestamptz null',
    'read_key text null',
    'dedupe_key text null',
  ]);
});

it('has an index for every kind of list', async () => {
  const { rows } = await database.pool.query<{ columns: string }>(
    `SELECT substring(indexdef FROM 'btree (.*)$') AS columns FROM pg_indexes
     WHERE schemaname = $1 AND tablename = 'messages' ORDER BY 1`,
    [database.schema],
  );
  expect(rows.map(({ columns }) => columns)).toEqual([
    '(id)',
    '(project_id, customer_id, seq)',
    '(project_id, customer_id, to_address, seq)',
    '(project_id, dedupe_key)',
    '(project_id, from_address, seq)',
    '(project_id, seq)',
    '(project_id, to_address, read_key) WHERE (read_key IS NOT NULL)',
    '(project_id, to_address, seq)',
    '(project_id, to_address, seq) WHERE (read_at IS NULL)',
    '(seq)',
    '(thread_id, seq)',
  ]);
});
