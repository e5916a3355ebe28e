import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { systemClock } from '@tollgate/runtime';
import { addDay, dropDays } from '../store/requests/partitions.js';
import { findRequest } from '../store/requests/read-requests.js';
import { requestEntry } from '../testing/request-entries.js';
import { oldestMs, prepareDays, recordRequests } from './record-requests.js';

const DAY_MS = 86_400_000;
const now = new Date('2026-11-23T04:00:00Z');
const projectId = randomUUID();

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());

const context = (at = now) => ({
  pool: database.pool,
  clock: { ...systemClock, now: () => at, nowMs: () => at.getTime() },
  config: { requestKeepDays: 3 },
});
const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
const makeEntry = (days: number) => requestEntry({ projectId, at: ago(days) });

async function partitions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'requests'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

it('stores requests of several days once, in partitions that it adds', async () => {
  const entries = [makeEntry(0), makeEntry(1), makeEntry(3)];
  await Promise.all([1, 2, 3].map(() => recordRequests(context(), { settled: entries })));
  await recordRequests(context(), { settled: entries.map((entry) => ({ ...entry, costMicrocents: 999n })) });
  for (const entry of entries) expect(await findRequest(database.pool, projectId, entry.id)).toEqual(entry);
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM requests');
  expect(rows).toEqual([{ n: 3 }]);
  expect(await partitions()).toEqual(['requests_20261120', 'requests_20261122', 'requests_20261123']);
});

it('skips requests past the retention and those of the far future', async () => {
  const entries = [makeEntry(4), makeEntry(-3)];
  await recordRequests(context(), { settled: entries });
  for (const { id } of entries) expect(await findRequest(database.pool, projectId, id)).toBeUndefined();
});

it('replaces the figures of a request by those of a late report, also in one batch', async () => {
  const entry = makeEntry(2);
  const late = { ...entry, at: ago(0), accountId: randomUUID(), status: 'failed' as const, costMicrocents: 7n };
  await recordRequests(context(), { settled: [entry], corrected: [late] });
  const stored = await findRequest(database.pool, projectId, entry.id);
  expect(stored).toEqual({ ...entry, status: 'failed', costMicrocents: 7n });
});

it('drops whole days past the retention, the oldest first, and keeps the others', async () => {
  await prepareDays(context());
  for (const days of [6, 5, 4]) await addDay(database.pool, Math.floor(ago(days).getTime() / DAY_MS) * DAY_MS);
  expect(await dropDays(database.pool, oldestMs(context()), 2)).toBe(2);
  expect(await dropDays(database.pool, oldestMs(context()), 2)).toBe(1);
  expect(await partitions()).toEqual([20, 21, 22, 23, 24].map((day) => `requests_202611${day}`));
});

it('refuses the drop of a day that a long transaction reads, without waiting for its end', async () => {
  const reader = await database.pool.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM requests');
  const later = oldestMs(context(new Date(now.getTime() + DAY_MS)));
  await expect(dropDays(database.pool, later, 10)).rejects.toThrow('lock timeout');
  await reader.query('COMMIT');
  reader.release();
  expect(await dropDays(database.pool, later, 10)).toBe(1);
});
