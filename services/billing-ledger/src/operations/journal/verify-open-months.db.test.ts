import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { createLogger } from '@tollgate/runtime';
import { parseMetrics } from '@tollgate/testkit';
import { createLedgerMetrics } from '../../metrics.js';
import { ageJournal, bookTransfers, journalContext, sealAll } from '../../testing/journal-harness.js';
import { verifyOpenMonths } from './verify-open-months.js';

const migrations = new URL('../../../prisma/migrations', import.meta.url);
const running = new AbortController().signal;
let database: TestDatabase;
let ctx: Parameters<typeof verifyOpenMonths>[0];
let registry: MetricsRegistry;
let logged: string[];

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations });
  registry = new MetricsRegistry();
  logged = [];
  const logger = createLogger('billing-ledger', 'info', { write: (line) => void logged.push(line) });
  ctx = { pool: database.pool, logger, metrics: createLedgerMetrics(registry.forService('billing-ledger')) };
  await bookTransfers(database.pool, 30);
  await ageJournal(database.pool, 1);
  await sealAll(journalContext(database));
  await bookTransfers(database.pool, 5);
});
afterEach(() => database.drop());

async function shownDifferences(): Promise<number | undefined> {
  const { tollgate_ledger_verify_differences: series } = parseMetrics(await registry.scrape());
  return series?.samples[0]?.value;
}

it('shows that nothing differs', async () => {
  expect(await shownDifferences()).toBeUndefined();
  await verifyOpenMonths(ctx, running);
  expect(await shownDifferences()).toBe(0);
  expect(logged).toEqual([]);
});

it('logs and counts what differs, for all owners, until it is corrected', async () => {
  const change = (cents: number) =>
    database.pool.query('UPDATE accounts SET credits = credits + $1 WHERE id > 1000', [cents]);
  const { rowCount } = await change(7);
  await verifyOpenMonths(ctx, running);
  expect(await shownDifferences()).toBe(rowCount);
  expect(logged).toHaveLength(rowCount ?? 0);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ msg: 'ledger differs', field: 'credits' });
  await change(-7);
  await verifyOpenMonths(ctx, running);
  expect(await shownDifferences()).toBe(0);
});

it('shows no result of a pass that a stop has ended', async () => {
  await verifyOpenMonths(ctx, AbortSignal.abort());
  expect(await shownDifferences()).toBeUndefined();
});
