import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { migrateService, openParts, type Parts } from '@tollgate/service';
import { type Config, configFromEnv } from './config.js';
import { type Context, createContext } from './context.js';
import { billingLedger } from './server.js';
import { paymentWorkers } from './workers/payments.js';
import { WriterConnection } from './writer/writer-connection.js';

let database: TestDatabase;
let parts: Parts<Config>;
let ctx: Context;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  const config = configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });
  await migrateService(billingLedger, config);
  parts = openParts('billing-ledger', config, { logger: silentLogger });
  ctx = await createContext(parts, paymentWorkers);
});
afterAll(async () => {
  await parts.stop();
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
