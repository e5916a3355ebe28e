import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createPool, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { cuttableLink } from '../testing/cuttable-link.js';
import { until } from '../testing/run-client.js';
import { createWorkPool } from './work-pool.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());

afterEach(() => database.pool.query('DELETE FROM run_work'));

const lease = { owner: randomUUID(), leaseMs: 600_000 };
const rare = { lease, slots: 4, heartbeatMs: 300_000, pollMs: 20, drainMs: 0 };

async function enqueue(): Promise<void> {
  const text = "INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES ($1, $1, 'a', 'node', now())";
  await database.pool.query(text, [randomUUID()]);
}

it('aborts the earlier execution when a process claims its own work again', async () => {
  const signals: AbortSignal[] = [];
  const work = createWorkPool({
    pool: database.pool,
    logger: silentLogger,
    run: async (_item, signal) => {
      signals.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    ...rare,
  });
  await enqueue();
  work.start();
  await until(() => signals.length === 1);
  // Its heartbeats are late.
  await database.pool.query("UPDATE run_work SET lease_until = now() - interval '1 ms'");
  await until(() => signals.length === 2);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(signals[0]?.reason).toMatchObject({ name: 'AbortError' });
  await work.stop();
  expect(signals[1]?.aborted).toBe(true);
});

it('requeues failed work as soon as the database is available again', async () => {
  const link = await cuttableLink(database.url);
  const pool = createPool({ url: link.url, schema: database.schema, max: 4 });
  const said: string[] = [];
  let runs = 0;
  const work = createWorkPool({
    pool,
    logger: Object.assign(Object.create(silentLogger), { warn: (_facts: object, words: string) => said.push(words) }),
    run: async () => {
      runs += 1;
      if (runs > 1) return;
      link.cut();
      throw new Error('the database is unavailable');
    },
    ...rare,
  });
  await enqueue();
  work.start();
  await until(() => said.includes('work not re-queued'));
  link.mend();
  await until(() => runs === 2);
  await work.stop();
  await pool.end();
  await link.close();
});
