import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { type Context, createContext } from './context.js';
import { migrateBilling } from './server.js';
import { WriterConnection } from './workers/writer-connection.js';

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  const config = configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });
  await migrateBilling(config);
  ctx = await createContext(config, { logger: silentLogger });
});
afterAll(async () => {
  await ctx.stop();
  await database.drop();
});

const LIMITS = `SELECT current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`;

it('limits the locks and the idle transactions of the pool', async () => {
  expect((await ctx.pool.query(LIMITS)).rows).toEqual([{ lock: '2s', idle: '5s' }]);
});

it('limits the locks and the idle transactions of the writer', async () => {
  const writer = new WriterConnection({ ...database, name: 'lane', lockTimeoutMs: 300 }, silentLogger);
  const client = await writer.client();
  expect((await client.query(LIMITS)).rows).toEqual([{ lock: '300ms', idle: '5s' }]);
  await writer.end();
});
