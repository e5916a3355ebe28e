import { afterEach, beforeEach, it } from '@jest/globals';
import { readMonths } from '@tollgate/ledger-audit';
import { ageJournal, bookTransfers } from '@tollgate/ledger-audit/testing';
import { MetricsRegistry } from '@tollgate/metrics';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Loop, stopAll } from '@tollgate/runtime';
import { parseMetrics, waitUntil } from '@tollgate/testkit';
import { createLedgerMetrics } from '../metrics.js';
import { journalContext } from '../testing/journal-context.js';
import { createAuditLoops } from './journal.js';

const migrations = new URL('../../prisma/migrations', import.meta.url);
let database: TestDatabase;
let registry: MetricsRegistry;
let loops: Loop[] = [];

beforeEach(async () => {
  database = await testDatabase(import.meta.url, { migrations });
  registry = new MetricsRegistry();
});
afterEach(async () => {
  await stopAll(...loops);
  await database.drop();
});

async function readDifferences(): Promise<number | undefined> {
  const { tollgate_ledger_verify_differences: series } = parseMetrics(await registry.scrape());
  return series?.samples[0]?.value;
}

it('shows that months which have ended are sealed, and the differences of the last verification', async () => {
  await bookTransfers(database.pool, 3);
  await ageJournal(database.pool, 1);
  const { rowCount } = await database.pool.query('UPDATE accounts SET credits = credits + 7 WHERE id > 1000');
  const metrics = createLedgerMetrics(registry.forService('billing-ledger'));
  loops = createAuditLoops({ ...journalContext(database, { LEDGER_VERIFY_INTERVAL: '10ms' }), metrics });
  await waitUntil(async () => (await readMonths(database.pool))[0]?.state === 'sealed', {
    what: 'the month to be sealed',
  });
  await waitUntil(async () => (await readDifferences()) === rowCount, { what: 'the differences to be shown' });
  await database.pool.query('UPDATE accounts SET credits = credits - 7 WHERE id > 1000');
  await waitUntil(async () => (await readDifferences()) === 0, { what: 'the correction to be shown' });
});
