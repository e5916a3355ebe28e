import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Queryable, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { addDay, startOfDay } from './partitions.js';
import { listRequests } from './read-requests.js';

const DAY_MS = 86_400_000;
const DAYS = 4;
const REQUESTS = 20_000;
/** One of this many requests failed. */
const RARITY = 2_500;
const projectId = randomUUID();
const range = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-24T00:00:00Z') };

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  for (let day = 0; day < DAYS; day++) await addDay(database.pool, startOfDay(range.from.getTime()) + day * DAY_MS);
  await database.pool.query(
    `INSERT INTO requests (id, at, account_id, project_id, status, is_stream, is_cached, is_estimated, input_tokens,
       output_tokens, cache_read_input_tokens, cache_write_input_tokens, reasoning_tokens, images, revenue_microcents,
       cost_microcents, overrun_microcents, unreconciled_microcents)
     SELECT gen_random_uuid(), $1::timestamptz + (n::float8 / $2) * interval '${DAYS} days', $3, $3,
       CASE WHEN n % $4 = 7 THEN 'failed' ELSE 'succeeded' END, false, false, false, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0
     FROM generate_series(0, $2::int - 1) n`,
    [range.from, REQUESTS, projectId, RARITY],
  );
  await database.pool.query('ANALYZE requests');
});
afterAll(() => database.drop());

/** Returns the plan of a list's statement. `generic` plans know no values. */
async function explain(status: 'failed' | 'refused', mode: 'custom' | 'generic'): Promise<string> {
  const client = await database.pool.connect();
  const lines: string[] = [];
  const explained = {
    query: async (text: string, values: unknown[]) => {
      await client.query(`SET plan_cache_mode = force_${mode}_plan`);
      const types = values.map((value) => (value instanceof Date ? 'timestamptz' : 'unknown'));
      await client.query(`PREPARE listed (${types.join(', ')}) AS ${text}`);
      const literals = values.map((value) => `'${value instanceof Date ? value.toISOString() : value}'`);
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE listed (${literals.join(', ')})`);
      lines.push(...rows.flatMap((row) => Object.values(row)));
      await client.query('DEALLOCATE listed');
      return { rows: [] };
    },
  };
  try {
    await listRequests(explained as unknown as Queryable, { projectId, ...range, status }, { limit: 51 });
  } finally {
    client.release(true);
  }
  return lines.join('\n');
}

it.each(['custom', 'generic'] as const)(
  'reads rare failures through an index of their own in a %s plan',
  async (mode) => {
    for (const status of ['failed', 'refused'] as const) {
      const plan = await explain(status, mode);
      expect(plan.match(/Index Scan using requests_\d+_project_id_status_at_id_idx/g)).toHaveLength(DAYS);
      expect(plan).not.toMatch(/Seq Scan|Sort /);
    }
  },
);

it('finds every request of a status, newest first', async () => {
  const failed = await listRequests(database.pool, { projectId, ...range, status: 'failed' }, { limit: 100 });
  expect(failed.map(({ at }) => at.getTime())).toEqual(
    Array.from({ length: REQUESTS / RARITY }, (_, n) => {
      const part = (n * RARITY + 7) / REQUESTS;
      return range.from.getTime() + part * DAYS * DAY_MS;
    }).toReversed(),
  );
  const succeeded = await listRequests(database.pool, { projectId, ...range, status: 'succeeded' }, { limit: 30_000 });
  expect(succeeded).toHaveLength(REQUESTS - failed.length);
});
