import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bigintArray, binaryArray, textArray, uuidArray } from '../columns/index.js';
import { type TestDatabase, testDatabase } from '../test-database.js';
import { toFromItem } from './packs.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});
afterAll(() => database.drop());

interface Row {
  id: string;
  owner: string;
  count: number;
  amount: bigint;
  size: number | null;
  name: string | null;
}

const ROWS: Row[] = [
  { id: randomUUID(), owner: randomUUID(), count: 3, amount: 2n ** 62n, size: null, name: 'a,"b"\\é🙂' },
  { id: randomUUID(), owner: randomUUID(), count: -4, amount: -5n, size: 7, name: null },
];

it.each([
  ['each row of a batch with its values and their types, in order', ROWS],
  ['no row of an empty batch', []],
])('reads %s', async (_title, rows) => {
  const types = { id: 'uuid', owner: 'uuid', count: 'int', amount: 'bigint', size: 'smallint?', name: 'text?' };
  const columns = Object.entries(types).map(([name, type]) => ({
    name,
    type: type.replace('?', ''),
    isNullable: type.endsWith('?'),
  }));
  const values = [
    7,
    binaryArray(
      'bigint',
      rows.map((row) => row.size),
    ),
    textArray(rows.map((row) => row.name)),
    uuidArray(rows, [(row) => row.id, (row) => row.owner]),
    bigintArray(rows, [(row) => row.count, (row) => row.amount]),
  ];
  const read = await database.pool.query(`SELECT * FROM ${toFromItem(columns, 2)} AS t WHERE $1 = 7`, values);
  expect(read.rows).toEqual(rows);
});
