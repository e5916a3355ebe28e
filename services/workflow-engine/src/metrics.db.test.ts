import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MetricsRegistry } from '@tollgate/metrics';
import { createPool, QUEUE_SESSION_SETTINGS, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { parseMetrics, scrapeMetrics } from '@tollgate/testkit';
import { readDueBackground } from './store/background/background-queue.js';
import { DUE_WORK } from './store/queues/run-work.js';
import { createPeers, type Peers, PROJECT, type TestEngine } from './testing/engine-fixture.js';
import { awaitEnd, createRun, say } from './testing/run-client.js';

let registry: MetricsRegistry;
let database: TestDatabase;
let peers: Peers;
let engine: TestEngine;

beforeEach(async () => {
  registry = new MetricsRegistry();
  database = await testDatabase(import.meta.url, { migrations: new URL('../prisma/migrations', import.meta.url) });
  peers = createPeers(database);
  engine = await peers.engine({ metrics: registry });
});
afterEach(async () => {
  await peers.stopAll();
  await database.drop();
});

describe('the metrics of the engine', () => {
  it('counts runs by how they ended, with their durations', async () => {
    const good = { kind: 'workflow.v0', name: 'good', nodes: [say('only', 'hello')], edges: [], outputs: [] };
    const bad = {
      ...good,
      name: 'bad',
      outputs: [{ name: 'missing', from: 'only', pointer: '/not/there' }],
    };
    for (const spec of [good, good, bad]) await awaitEnd(engine.client, await createRun(engine.client, spec));
    const page = parseMetrics(await registry.scrape());
    const counts = page.tollgate_runs_ended_total?.samples.map(({ labels, value }) => [labels.status, value]);
    expect(Object.fromEntries(counts ?? [])).toEqual({ succeeded: 2, failed: 1 });
    const durations = page.tollgate_run_duration_seconds?.samples.filter(({ name }) => name.endsWith('_count')) ?? [];
    expect(durations.map(({ labels: { service, status }, value }) => [service, status, value])).toEqual([
      ['workflow-engine', 'succeeded', 2],
      ['workflow-engine', 'failed', 1],
    ]);
  });

  it('shows work that is due', async () => {
    await engine.stop();
    const own = new MetricsRegistry();
    await database.pool.query(
      `INSERT INTO run_work (project_id, run_id, node_id, kind, run_at)
       SELECT $1, gen_random_uuid(), 'a', 'node', now() + shift * interval '1 minute' FROM unnest(ARRAY[-2, -1, 5]) AS shift`,
      [PROJECT],
    );
    const idle = await peers.engine({ metrics: own, work: { slots: 0 } });
    const page = await scrapeMetrics(own, 'tollgate_queue_depth', 'tollgate_queue_oldest_age_seconds');
    expect(page.tollgate_queue_depth?.samples).toMatchObject([
      { labels: { queue: 'runs' }, value: 2 },
      { labels: { queue: 'background' }, value: 0 },
    ]);
    expect(page.tollgate_queue_oldest_age_seconds?.samples[0]?.value).toBeGreaterThanOrEqual(120);
    await idle.stop();
  });

  it('shows background responses that are due, and the age of those that no other of their account holds up', async () => {
    await engine.stop();
    const [busy, idle] = [randomUUID(), randomUUID()];
    const insert = (accountId: string, minutes: number, lease: string | null = null) =>
      database.pool.query(
        `INSERT INTO background_responses (id, account_id, project_id, principal, head, bytes, options, expires_at, due_at, lease_until)
         VALUES (gen_random_uuid(), $1, $1, '', '{}', 1, '{}', now(), now() - $2 * interval '1 minute', $3)`,
        [accountId, minutes, lease],
      );
    await insert(busy, 60, '2999-01-01');
    await insert(busy, 30);
    await insert(idle, 2);
    await insert(idle, -5);
    const { count, oldestSeconds } = await readDueBackground(database.pool);
    expect(count).toBe(2);
    expect(Math.floor(oldestSeconds / 60)).toBe(2);
  });

  it('reads due work through an index', async () => {
    const { url, schema } = database;
    const pool = createPool({ url, schema, max: 1, settings: QUEUE_SESSION_SETTINGS });
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${DUE_WORK}`);
    await pool.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Scan using run_work_ready');
  });
});
