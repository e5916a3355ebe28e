import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import pg from 'pg';
import { arrayLiteral } from './array-literal.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  pool = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('array literals', () => {
  it('keeps numbers and ids unchanged', async () => {
    const { rows } = await pool.query('SELECT $1::bigint[] AS numbers', [arrayLiteral([1n, -2, '3'])]);
    expect(rows[0].numbers).toEqual(['1', '-2', '3']);
  });
});
