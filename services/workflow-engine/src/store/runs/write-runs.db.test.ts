import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createPool,
  QUEUE_SESSION_SETTINGS,
  type Queryable,
  type TestDatabase,
  testDatabase,
} from '@tollgate/postgres';
import { writeRuns } from './write-runs.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
});
afterAll(() => database.drop());

it('compares no row with every run: the cost of a batch grows with its size, not with its square', async () => {
  const pool = createPool({ url: database.url, schema: database.schema, settings: QUEUE_SESSION_SETTINGS });
  const client = await pool.connect();
  try {
    const { text, values } = await readStatement();
    await client.query(`PREPARE write_runs AS ${text}`);
    const plan = await client.query(`EXPLAIN EXECUTE write_runs(${values.map(() => "'{}'").join(', ')})`);
    const lines = plan.rows.map((row) => String(row['QUERY PLAN']).trim());
    expect(lines.some((line) => line.includes('Index Scan using runs_pkey'))).toBe(true);
    expect(lines.filter((line) => /^(Join Filter|(->\s+)?Seq Scan)/.test(line))).toEqual([]);
  } finally {
    client.release();
    await pool.end();
  }
});

async function readStatement(): Promise<{ text: string; values: unknown[] }> {
  let statement: { text: string; values: unknown[] } | undefined;
  const db = {
    query: async (asked: { text: string; values: unknown[] }) => {
      statement = asked;
      return { rows: [] };
    },
  };
  await writeRuns(db as unknown as Queryable, []);
  if (!statement) throw new Error('nothing was asked');
  return statement;
}
