import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPool, type Pool, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { STATEMENT_POOL } from '../../store/database.js';
import { StatementReader } from './statement-reader.js';

const call = { signal: new AbortController().signal, remainingMs: () => 600_000 };

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  pool = createPool({ url: database.url, schema: database.schema, ...STATEMENT_POOL });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("reads another account's statement while those of one account never end", async () => {
  const reader = new StatementReader(pool);
  const ends: (() => void)[] = [];
  const endless = () => new Promise<string>((resolve) => ends.push(() => resolve('read')));
  const busy = randomUUID();
  const readings = Array.from({ length: 10 }, () =>
    reader.read(busy, call, endless).catch(({ code }: { code: string }) => code),
  );
  for (let other = 0; other < 3; other++) {
    const { rows } = await reader.read(randomUUID(), call, (tx) => tx.query('SHOW transaction_isolation'));
    expect(rows).toEqual([{ transaction_isolation: 'repeatable read' }]);
  }
  expect(ends).toHaveLength(2);
  const refused = await Promise.all(readings.slice(2));
  expect(new Set(refused)).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  for (const end of ends) end();
  expect(await Promise.all(readings.slice(0, 2))).toEqual(['read', 'read']);
});
