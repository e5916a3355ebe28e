import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, type Tx, testDatabase, withTransaction } from '@tollgate/postgres';
import { systemClock } from '@tollgate/runtime';
import { waitUntil } from '@tollgate/testkit';
import fc from 'fast-check';
import { fromLatencyBucket, toLatencyBucket, toLatencyBucketSql } from '../../domain/reports/latency-buckets.js';
import type { RequestEntry } from '../../domain/reports/request-entry.js';
import { DAY_MS, HOUR_MS } from '../../domain/reports/usage-spans.js';
import { dropDays, listDays, startOfDay } from '../../store/requests/partitions.js';
import { listRequests } from '../../store/requests/read-requests.js';
import {
  sumRequests,
  type UsageFilter,
  type UsageGrouping,
  type UsageRow,
} from '../../store/requests/request-usage.js';
import { findMissingHours, readOpenHour } from '../../store/requests/rollups/progress.js';
import { requestEntry } from '../../testing/request-entries.js';
import { oldestMs, recordRequests } from '../record-requests.js';
import { RequestRollup } from './roll-up-requests.js';

const MODELS = ['model-a', 'model-b', null];
const CUSTOMERS = [randomUUID(), randomUUID(), randomUUID(), null];
const KEYS = [randomUUID(), null];
const TIERS = ['free', 'pro', null];
const STATUSES = ['succeeded', 'failed', 'refused', 'unreported'] as const;
const GROUPS = [undefined, 'model', 'customer', 'key', 'tier', 'status'] as const;
const INTERVALS = ['hour', 'day', 'total'] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
});
afterAll(() => database.drop());

const clock = systemClock;
const context = () => ({ pool: database.pool, clock, config: { requestKeepDays: 4 } });

/** Rolls up every past hour: a transaction of another suite may delay the first sum. */
async function rollUp(rollup = new RequestRollup(context())): Promise<void> {
  await waitUntil(
    async () => {
      while (await rollup.run());
      const days = (await listDays(database.pool)).map(({ dayMs }) => new Date(dayMs));
      return (await findMissingHours(database.pool, days, await readOpenHour(database.pool, 6 * 60_000))) === undefined;
    },
    { what: 'the sums of past hours' },
  );
}

/** Returns the expected figures, from the rows alone. */
function addUp(rows: readonly RequestEntry[]) {
  const sum = (read: (row: RequestEntry) => bigint | number) =>
    String(rows.reduce((total, row) => total + BigInt(read(row)), 0n));
  const count = (status: string) => BigInt(rows.filter((row) => row.status === status).length);
  const durations = rows.filter(({ status }) => status !== 'refused').map(({ durationMs }) => durationMs);
  return {
    requests: BigInt(rows.length),
    succeeded: count('succeeded'),
    failed: count('failed'),
    refused: count('refused'),
    unreported: count('unreported'),
    inputTokens: sum((row) => row.inputTokens),
    outputTokens: sum((row) => row.outputTokens),
    images: sum((row) => row.images),
    revenueMicrocents: sum((row) => row.revenueMicrocents),
    costMicrocents: sum((row) => row.costMicrocents),
    durations: percentiles(durations, [50, 95, 99]),
    firstOutputs: percentiles(
      rows.map(({ firstOutputMs }) => firstOutputMs),
      [50, 95],
    ),
  };
}

function percentiles(values: readonly (bigint | null)[], percents: readonly number[]): (number | undefined)[] {
  const sorted = values.flatMap((value) => (value === null ? [] : [Number(value)])).sort((a, b) => a - b);
  return percents.map((percent) => sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]);
}

function expectFigures(row: UsageRow, rows: readonly RequestEntry[]): void {
  const { durations, firstOutputs, ...exact } = addUp(rows);
  expect(row).toMatchObject(exact);
  for (const [buckets, values] of [
    [row.durationBuckets, durations],
    [row.firstOutputBuckets, firstOutputs],
  ] as const)
    for (const [index, value] of values.entries()) {
      const shown = buckets?.[index] ?? undefined;
      if (value === undefined) expect(shown).toBeUndefined();
      else expect(Math.abs(fromLatencyBucket(shown!) - value)).toBeLessThanOrEqual(value / 128);
    }
}

const startOf = { hour: HOUR_MS, day: DAY_MS, total: undefined };
const groupOf = {
  model: (row: RequestEntry) => row.model,
  customer: (row: RequestEntry) => row.customerId,
  key: (row: RequestEntry) => row.keyId,
  tier: (row: RequestEntry) => row.tierCode,
  status: (row: RequestEntry) => row.status,
};

/** Compares a report with the rows that the same snapshot has. */
async function compare(filter: UsageFilter, by: UsageGrouping): Promise<void> {
  await withTransaction(database.pool, (tx) => compareIn(tx, filter, by), { isolation: 'repeatable read' });
}

async function compareIn(tx: Tx, filter: UsageFilter, by: UsageGrouping): Promise<void> {
  const usage = await sumRequests(tx, filter, by, new Date(oldestMs(context())));
  const rows = await listRequests(tx, filter, { limit: 100_000 });
  expectFigures(usage.totals, rows);
  const groups = new Map<string, RequestEntry[]>();
  const step = startOf[by.interval];
  for (const row of rows) {
    const start = step && new Date(Math.floor(row.at.getTime() / step) * step).toISOString();
    const key = JSON.stringify([start, by.groupBy && (groupOf[by.groupBy](row) ?? 'none')]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const shown = usage.rows.map((row) => JSON.stringify([row.start?.toISOString(), by.groupBy && row.group]));
  expect(shown.length).toBe(Math.min(groups.size, by.limit + 1));
  expect(new Set(shown).size).toBe(shown.length);
  for (const [index, row] of usage.rows.entries()) expectFigures(row, groups.get(shown[index]!) ?? []);
  const order = usage.rows.map((row) => [row.start?.getTime() ?? 0, -Number(row.requests)] as const);
  expect(order).toEqual(order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
  if (groups.size <= by.limit) expect(new Set(shown)).toEqual(new Set(groups.keys()));
}

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(values: readonly T[]) =>
  fc.option(pick(values.filter((value) => value !== null) as NonNullable<T>[]), { nil: undefined, freq: 3 });

/** Of integers: a double is nearly always close to zero. */
const hoursAgo = fc.integer({ min: 0, max: 72 * 3_600 }).map((seconds) => seconds / 3_600);

const arbitraryEntry = fc.record({
  hoursAgo,
  status: pick(STATUSES),
  model: pick(MODELS),
  customerId: pick(CUSTOMERS),
  keyId: pick(KEYS),
  tierCode: pick(TIERS),
  inputTokens: fc.bigInt(0n, 2n ** 40n),
  outputTokens: fc.bigInt(0n, 100n),
  images: fc.integer({ min: 0, max: 3 }),
  revenueMicrocents: fc.bigInt(0n, 2n ** 61n),
  costMicrocents: fc.bigInt(0n, 2n ** 61n),
  durationMs: fc.option(fc.oneof(fc.bigInt(0n, 200n), fc.bigInt(0n, 3_600_000n))),
  firstOutputMs: fc.option(fc.bigInt(0n, 60_000n)),
});

function toEntry(
  projectId: string,
  { hoursAgo, ...entry }: typeof arbitraryEntry extends fc.Arbitrary<infer T> ? T : never,
) {
  return requestEntry({ ...entry, projectId, at: new Date(Math.round(Date.now() - hoursAgo * HOUR_MS)) });
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(arbitraryEntry, { minLength: 1, maxLength: 25 }).map((entries) => ({ entries })) },
  { weight: 2, arbitrary: fc.nat().map((redelivered) => ({ redelivered })) },
  { weight: 2, arbitrary: fc.record({ corrected: fc.nat(), by: arbitraryEntry }) },
  { weight: 1, arbitrary: fc.nat().map((deleted) => ({ deleted })) },
  { weight: 3, arbitrary: fc.constant({ pass: true }) },
);

const question = fc.record({
  hoursAgo: fc.tuple(hoursAgo, hoursAgo),
  isDayAligned: fc.boolean(),
  by: fc.record({ interval: pick(INTERVALS), groupBy: pick(GROUPS), limit: pick([1, 3, 1_000]) }),
  status: maybe(STATUSES),
  model: maybe(MODELS),
  customerId: maybe(CUSTOMERS),
  keyId: maybe(KEYS),
  tierCode: maybe(TIERS),
});

async function act(
  projectId: string,
  known: RequestEntry[],
  action: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const one = (index: number) => known[index % Math.max(1, known.length)];
  if ('entries' in action) {
    const settled = action.entries.map((entry) => toEntry(projectId, entry));
    known.push(...settled);
    await recordRequests(context(), { settled });
  } else if ('redelivered' in action) {
    const again = one(action.redelivered);
    if (again) await recordRequests(context(), { settled: [{ ...again, costMicrocents: 1n }] });
  } else if ('corrected' in action) {
    const old = one(action.corrected);
    if (old)
      await recordRequests(context(), {
        settled: [],
        corrected: [{ ...toEntry(projectId, action.by), id: old.id, at: new Date() }],
      });
  } else if ('deleted' in action) {
    await database.pool.query('DELETE FROM requests WHERE id = $1', [one(action.deleted)?.id]);
  } else await rollUp();
}

it('equals the rows after any history of late, repeated, corrected and deleted requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 10 }),
      fc.array(question, { minLength: 3, maxLength: 6 }),
      async (steps, questions) => {
        const projectId = randomUUID();
        const known: RequestEntry[] = [];
        for (const action of steps) {
          await act(projectId, known, action);
          for (const { hoursAgo, isDayAligned, by, ...filters } of questions) {
            const [to, from] = hoursAgo.map((hours) => Date.now() - hours * HOUR_MS).toSorted((a, b) => b - a) as [
              number,
              number,
            ];
            const range = isDayAligned
              ? { from: new Date(startOfDay(from)), to: new Date(startOfDay(to) + DAY_MS) }
              : { from: new Date(from), to: new Date(to) };
            await compare({ projectId, ...range, ...filters }, by);
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

describe('a past hour', () => {
  const projectId = randomUUID();
  const at = new Date(startOfDay(Date.now()) - 20 * HOUR_MS);
  const day = { projectId, from: new Date(startOfDay(at.getTime())), to: new Date(startOfDay(at.getTime()) + DAY_MS) };
  const byDay = { interval: 'day', groupBy: undefined, limit: 10 } as const;
  const countStored = async (table: string) => {
    const { rows } = await database.pool.query<{ n: bigint }>(
      `SELECT coalesce(sum(requests), 0)::bigint AS n FROM ${table} WHERE project_id = $1`,
      [projectId],
    );
    return rows[0]!.n;
  };

  it('reads a past hour from its sums, and from its rows as soon as a late one is stored', async () => {
    await recordRequests(context(), { settled: [1, 2, 3].map(() => requestEntry({ projectId, at })) });
    await rollUp();
    expect(await Promise.all(['request_hours', 'request_days', 'request_customer_days'].map(countStored))).toEqual([
      3n,
      3n,
      3n,
    ]);
    // Sums that differ from the rows show which of them is read.
    await database.pool.query('UPDATE request_days SET requests = 99 WHERE project_id = $1', [projectId]);
    const requests = () =>
      withTransaction(database.pool, (tx) => sumRequests(tx, day, byDay, new Date(0)), {
        isolation: 'repeatable read',
      }).then(({ totals }) => totals.requests);
    expect(await requests()).toBe(99n);
    await recordRequests(context(), { settled: [requestEntry({ projectId, at, customerId: CUSTOMERS[0]! })] });
    expect(await requests()).toBe(4n);
    await rollUp();
    expect(await Promise.all(['request_hours', 'request_days', 'request_customer_days'].map(countStored))).toEqual([
      4n,
      4n,
      4n,
    ]);
  });

  it('adds an hour up only after the transactions that were open at its end', async () => {
    const other = await testDatabase(`${import.meta.url}.open`, {
      migrations: new URL('../../../prisma/migrations', import.meta.url),
    });
    const ctx = { ...context(), pool: other.pool };
    const writer = await other.pool.connect();
    try {
      await recordRequests(ctx, { settled: [requestEntry({ projectId, at })] });
      await writer.query('BEGIN; SELECT pg_current_xact_id()');
      const rollup = new RequestRollup(ctx);
      for (let pass = 0; pass < 3; pass++) expect(await rollup.run()).toBe(false);
      expect((await other.pool.query('SELECT 1 FROM request_rollups')).rowCount).toBe(0);
      await writer.query('COMMIT');
      await waitUntil(() => rollup.run(), { what: 'the first sums' });
      expect((await other.pool.query("SELECT 1 FROM request_rollups WHERE span = 'hour'")).rowCount).toBe(24);
    } finally {
      writer.release();
      await other.drop();
    }
  });

  it('equals its rows at every moment while replicas write, roll up and report', async () => {
    const ends = Date.now() + 3_000;
    const repeat = async (work: () => Promise<unknown>) => {
      while (Date.now() < ends) await work();
    };
    const write = () =>
      recordRequests(context(), {
        settled: Array.from({ length: 5 }, (_, n) =>
          requestEntry({ projectId, at: new Date(at.getTime() + n * HOUR_MS), customerId: CUSTOMERS[n % 4]! }),
        ),
      });
    const rollups = [new RequestRollup(context()), new RequestRollup(context())];
    let compared = 0;
    const report = async () => {
      await compare(day, { interval: compared % 2 ? 'hour' : 'day', groupBy: GROUPS[compared % 3], limit: 1_000 });
      compared += 1;
    };
    await Promise.all([
      ...rollups.map((rollup) => repeat(() => rollup.run())),
      repeat(write),
      repeat(write),
      repeat(report),
    ]);
    expect(compared).toBeGreaterThan(0);
    await rollUp();
    await report();
  });

  it('leaves with its day, and its sums are deleted', async () => {
    const later = {
      ...context(),
      clock: { ...systemClock, now: () => new Date(Date.now() + 9 * DAY_MS), nowMs: () => Date.now() + 9 * DAY_MS },
    };
    expect(await dropDays(database.pool, oldestMs(later), 100)).toBeGreaterThan(0);
    await compare(day, byDay);
    while (await new RequestRollup(later).run());
    expect(await Promise.all(['request_hours', 'request_days', 'request_customer_days'].map(countStored))).toEqual([
      0n,
      0n,
      0n,
    ]);
  });
});

it('counts latencies in SQL in the same buckets as in code', async () => {
  const powers = Array.from({ length: 41 }, (_, power) => 2 ** power);
  const values = [
    ...powers.flatMap((ms) => [ms - 1, ms, ms + 1]),
    ...fc.sample(fc.integer({ min: 0, max: 2 ** 41 }), 500),
  ];
  const { rows } = await database.pool.query<{ bucket: number }>(
    `SELECT ${toLatencyBucketSql('ms')} AS bucket FROM unnest($1::bigint[]) WITH ORDINALITY AS v(ms, n) ORDER BY n`,
    [values],
  );
  expect(rows.map(({ bucket }) => bucket)).toEqual(values.map(toLatencyBucket));
});
