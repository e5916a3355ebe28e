import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { until } from '../testing/run-client.js';
import { WorkPool } from './work-pool.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());

it('a process that takes its own work over aborts what it was doing for it', async () => {
  const signals: AbortSignal[] = [];
  const work = new WorkPool({
    pool: database.pool,
    logger: silentLogger,
    run: async (_item, signal) => {
      signals.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    slots: 4,
    leaseMs: 600_000,
    heartbeatMs: 300_000,
    pollMs: 20,
    drainMs: 0,
  });
  const text = "INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES ($1, $1, 'a', 'node', now())";
  await database.pool.query(text, [randomUUID()]);
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
