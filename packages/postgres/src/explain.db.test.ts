import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { explainStatement, explainStatements } from './explain.js';
import { type TestDatabase, testDatabase } from './test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  await database.pool.query(`
    CREATE TABLE things (id int PRIMARY KEY, note text);
    INSERT INTO things SELECT i, 'n' || i FROM generate_series(1, 20000) AS i;
    ANALYZE things`);
});
afterAll(() => database.drop());

it('names the index and counts the rows of a statement that finds rows by key', async () => {
  const read = await explainStatement(database.pool, (db) =>
    db.query({ name: 'find', text: 'SELECT * FROM things WHERE id = ANY($1::int[])', values: [[1, 2, 3]] }),
  );
  expect(read).toEqual({
    name: 'find',
    indexes: ['things_pkey'],
    sequentialScans: [],
    rowsRead: 3,
    rowsSorted: 0,
    plan: expect.any(String),
  });
});

it('finds a sequential scan, with the rows that its filter dropped', async () => {
  const read = await explainStatement(database.pool, (db) =>
    db.query('SELECT * FROM things WHERE note = $1 ORDER BY random()', ['n7']),
  );
  expect([read.sequentialScans, read.rowsRead, read.rowsSorted]).toEqual([['things'], 20_000, 1]);
});

it('reverts what the statements change', async () => {
  const all = await explainStatements(database.pool, async (db) => {
    await db.query('DELETE FROM things WHERE id < 10');
    await db.query('DELETE FROM things');
  });
  expect(all.map(({ rowsRead }) => rowsRead)).toEqual([9, 20_000]);
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM things');
  expect(rows).toEqual([{ count: 20_000 }]);
});

it('rejects a function that runs more than the one statement', async () => {
  const run = explainStatement(database.pool, async (db) => {
    for (let i = 0; i < 2; i++) await db.query('SELECT 1');
  });
  await expect(run).rejects.toThrow('expected one statement, got 2');
});
