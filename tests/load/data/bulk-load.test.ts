import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient, emptyDatabase } from '@tollgate/postgres';
import { loadTable } from './bulk-load.js';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let connection: Awaited<ReturnType<typeof createClient>>;

beforeAll(async () => {
  database = await emptyDatabase('bulk_load');
  connection = await createClient({ url: database.url, schema: 'public', applicationName: 'test' });
  await connection.client.query(`
    CREATE SCHEMA "Shop";
    CREATE TABLE "Shop".orders (id uuid PRIMARY KEY, place bigint GENERATED ALWAYS AS IDENTITY UNIQUE, state int NOT NULL);
    CREATE INDEX orders_open ON "Shop".orders (place DESC, lower(id::text)) WHERE state = 0;
    CREATE TABLE "Shop".lines (order_id uuid REFERENCES "Shop".orders (id), seq int, PRIMARY KEY (order_id, seq));
    CREATE TABLE "Shop".visits (id bigint PRIMARY KEY)`);
});
afterAll(async () => {
  await connection?.end();
  await database?.drop();
});

async function indexNames(): Promise<string[]> {
  return (await readIndexes()).map(({ indexname }) => indexname);
}

async function readIndexes() {
  const { rows } = await connection.client.query<{ indexname: string }>(
    `SELECT indexname, indexdef, (SELECT contype FROM pg_constraint WHERE conname = indexname) AS constraint
     FROM pg_indexes WHERE schemaname = 'Shop' ORDER BY indexname`,
  );
  return rows;
}

it('inserts without indexes and then builds the same indexes and constraints', async () => {
  const { client } = connection;
  const before = await readIndexes();
  const all = ['lines_pkey', 'orders_open', 'orders_pkey', 'orders_place_key', 'visits_pkey'];
  expect(await indexNames()).toEqual(all);
  await loadTable(client, '"Shop".orders', false, async () => {
    expect(await indexNames()).toEqual(['lines_pkey', 'orders_pkey', 'visits_pkey']); // a foreign key needs orders_pkey
    await client.query(
      'INSERT INTO "Shop".orders (id, state) SELECT gen_random_uuid(), n % 2 FROM generate_series(1, 100) n',
    );
  });
  await loadTable(client, '"Shop".lines', false, async () => {
    expect(await indexNames()).not.toContain('lines_pkey');
    await client.query('INSERT INTO "Shop".lines SELECT id, 1 FROM "Shop".orders');
  });
  expect(await readIndexes()).toEqual(before);
});

it.each([
  ['"Shop".visits', true, 'p'],
  ['"Shop".visits', false, 'u'],
  ['"Shop".lines', false, 'p'],
])('loads %s, kept = %s, with the persistence %s', async (table, isKept, persistence) => {
  const { client } = connection;
  await loadTable(client, table, isKept, async () => undefined);
  const { rows } = await client.query('SELECT relpersistence FROM pg_class WHERE oid = $1::regclass', [table]);
  expect(rows).toEqual([{ relpersistence: persistence }]);
});
