import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import {
  binaryArray,
  bytea,
  type Columns,
  defineColumns,
  type ElementType,
  number,
  text,
  uuid,
} from './unnest-columns.js';

interface Row {
  id: string;
  owner: string;
  count: number;
  amount: bigint;
  state: number;
  name: string;
  payload: Buffer;
}

const ROWS: Row[] = [
  {
    id: randomUUID(),
    owner: randomUUID(),
    count: 3,
    amount: 2n ** 62n,
    state: 1,
    name: 'a,"b"\\é🙂',
    payload: Buffer.from([0, 255]),
  },
  { id: randomUUID(), owner: randomUUID(), count: -4, amount: -5n, state: 2, name: '{}', payload: Buffer.from('x') },
];

const ID = uuid<Row>((row) => row.id);
const AMOUNT = number<Row>('bigint', (row) => row.amount);
const COUNT = number<Row>('int', (row) => row.count);

const ALL = defineColumns<Row>({
  id: ID,
  name: text((row) => row.name),
  count: COUNT,
  amount: AMOUNT,
  owner: uuid((row) => row.owner),
  payload: bytea((row) => row.payload),
  state: number('smallint', (row) => row.state),
});
const NUMBERS = defineColumns<Row>({ amount: AMOUNT, count: COUNT });
const IDS = defineColumns<Row>({ id: ID });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});
afterAll(() => database.drop());

async function roundTrip(columns: Columns<Row>, rows: readonly Row[]): Promise<unknown[]> {
  const values = [7, ...columns.encode(rows)];
  expect(values).toHaveLength(1 + columns.parameterCount);
  const result = await database.pool.query(
    `SELECT ${columns.list} FROM ${columns.unnest('t', 2)} WHERE $1 = 7`,
    values,
  );
  return result.rows;
}

it('returns each row with its values and their types, in order', async () => {
  expect(await roundTrip(ALL, ROWS)).toEqual(ROWS);
});

it('carries numbers and ids in one array each', async () => {
  expect([ALL.parameterCount, NUMBERS.parameterCount, IDS.parameterCount]).toEqual([4, 1, 1]);
  expect(await roundTrip(NUMBERS, ROWS)).toEqual(ROWS.map(({ amount, count }) => ({ amount, count })));
  expect(await roundTrip(IDS, ROWS)).toEqual(ROWS.map(({ id }) => ({ id })));
});

it.each([
  ['mixed columns', ALL],
  ['numbers', NUMBERS],
  ['one column', IDS],
])('returns no row for an empty batch of %s', async (_, columns) => {
  expect(await roundTrip(columns, [])).toEqual([]);
});

describe('a binary array', () => {
  const values = {
    bool: [true, null, false],
    bytea: [Buffer.from([0, 255]), null, Buffer.alloc(0)],
    bigint: [2n ** 62n, null, -5n],
    int: [2 ** 31 - 1, null, -4],
    text: ['a,"b"\\é🙂', null, ''],
    timestamptz: [new Date('1999-12-31T23:59:59.999Z'), null, new Date('2030-02-28T12:00:00.001Z')],
    uuid: [randomUUID(), null, randomUUID()],
  } satisfies Record<ElementType, unknown[]>;

  it.each(Object.entries(values))('carries each value of %s, and NULL', async (type, sent) => {
    const read = async (list: readonly unknown[]) => {
      const array = binaryArray(type as ElementType, list);
      return (await database.pool.query(`SELECT t.value FROM unnest($1::${type}[]) AS t (value)`, [array])).rows;
    };
    expect(await read(sent)).toEqual(sent.map((value) => ({ value })));
    expect(await read([undefined])).toEqual([{ value: null }]);
    expect(await read([])).toEqual([]);
  });

  it.each([
    ['int', 2 ** 31],
    ['int', 0.5],
    ['bigint', 2n ** 63n],
    ['timestamptz', new Date('none')],
    ['uuid', 'none'],
    ['text', 7],
  ] as const)('rejects what is no %s: %p', (type, value) => {
    expect(() => binaryArray(type, [value])).toThrow();
  });
});
