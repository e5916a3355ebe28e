import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../test-database.js';
import { binaryArray, type ElementType } from './binary-arrays.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url);
});
afterAll(() => database.drop());

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
