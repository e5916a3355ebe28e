import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { createLogger, silentLogger } from '@tollgate/runtime';
import { ageJournal, bookTransfers, LEDGER_MIGRATIONS, sealAll } from './testing/index.js';
import { type VerifyContext, verifyOpenMonths } from './verify-open-months.js';

const running = new AbortController().signal;
let database: TestDatabase;
let ctx: VerifyContext;
/** The number of differences of each pass that ended. */
let verified: number[];
let logged: string[];

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations: LEDGER_MIGRATIONS });
  verified = [];
  logged = [];
  const logger = createLogger('billing-ledger', 'info', { write: (line) => void logged.push(line) });
  ctx = { pool: database.pool, logger, onVerified: (differences) => void verified.push(differences) };
  await bookTransfers(database.pool, 30);
  await ageJournal(database.pool, 1);
  await sealAll({ pool: database.pool, logger: silentLogger, closingLagMs: 1 });
  await bookTransfers(database.pool, 5);
});
afterEach(() => database.drop());

it('reports that nothing differs', async () => {
  await verifyOpenMonths(ctx, running);
  expect(verified).toEqual([0]);
  expect(logged).toEqual([]);
});

it('logs and counts what differs, for all owners, until it is corrected', async () => {
  const change = (cents: number) =>
    database.pool.query('UPDATE accounts SET credits = credits + $1 WHERE id > 1000', [cents]);
  const { rowCount } = await change(7);
  await verifyOpenMonths(ctx, running);
  expect(logged).toHaveLength(rowCount ?? 0);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ msg: 'ledger differs', field: 'credits' });
  await change(-7);
  await verifyOpenMonths(ctx, running);
  expect(verified).toEqual([rowCount, 0]);
});

it('reports no result of a pass that a stop has ended', async () => {
  await verifyOpenMonths(ctx, AbortSignal.abort());
  expect(verified).toEqual([]);
});
