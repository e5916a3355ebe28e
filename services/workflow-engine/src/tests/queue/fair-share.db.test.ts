import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type TestDatabase, testDatabase } from '@tollgate/postgres';
import type pg from 'pg';
import { claimWork } from '../../store/queues/run-work.js';
import { createPeers, type Peers, PROJECT, secretKey } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, say, until } from '../../testing/run-client.js';

let database: TestDatabase;
let pool: pg.Pool;
let peers: Peers;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
  peers = createPeers(database);
  // Starting an engine applies the migrations.
  await (await peers.engine()).stop();
  // The planner settings of engines: see context.ts.
  const settings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', enable_hashjoin: 'off' };
  pool = createPool({ url: database.url, schema: database.schema, max: 4, settings });
});
afterAll(async () => {
  await pool.end();
  await peers.stopAll();
  await database.drop();
});
afterEach(() => database.pool.query('DELETE FROM run_work'));

const lease = { owner: randomUUID(), leaseMs: 60_000 };
const claim = (max: number, from: string = randomUUID()) => claimWork(pool, lease, { max, from });
const projects = (count: number) => Array.from({ length: count }, () => randomUUID());

async function enqueue(
  projectId: string,
  count: number,
  runAt = "now() - interval '1 s'",
  kind = 'node',
): Promise<void> {
  const sql = `INSERT INTO run_work (project_id, run_id, node_id, kind, run_at)
               SELECT $1, gen_random_uuid(), 'n' || i, $3, ${runAt} FROM generate_series(1, $2::int) i`;
  await database.pool.query(sql, [projectId, count, kind]);
}

async function countByProject(claimed: Promise<{ projectId: string }[]>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { projectId } of await claimed) counts[projectId] = (counts[projectId] ?? 0) + 1;
  return counts;
}

describe('the queue', () => {
  it('serves a project at once, however long another project’s queue is', async () => {
    const [big, small] = projects(2) as [string, string];
    await enqueue(big, 10_000, "now() - interval '1 h'");
    await enqueue(small, 2);
    expect(await countByProject(claim(8))).toEqual({ [big]: 6, [small]: 2 });
  });

  it('reads a bounded number of rows', async () => {
    const all = projects(40);
    for (const id of all) await enqueue(id, 500);
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      'EXPLAIN SELECT work_id FROM run_work WHERE lease_until IS NULL AND kind = $$node$$ AND project_id = $$' +
        `${all[0]}$$ ORDER BY run_at, work_id LIMIT 10`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('run_work_ready');
    for (let index = 0; index < 20; index++) expect(await claim(16)).toHaveLength(16);
  });

  it('gives all slots to one project when the others have no work', async () => {
    const [busy, idle] = projects(2) as [string, string];
    await enqueue(busy, 20);
    await enqueue(idle, 5, "now() + interval '1 h'");
    expect(await countByProject(claim(16))).toEqual({ [busy]: 16 });
  });

  it('counts a project’s leases on all processes and lets the others catch up', async () => {
    const [first, second] = projects(2) as [string, string];
    await enqueue(first, 30);
    expect(await countByProject(claim(10))).toEqual({ [first]: 10 });
    await enqueue(second, 30);
    expect(await countByProject(claim(10))).toEqual({ [second]: 10 });
    expect(await countByProject(claim(10))).toEqual({ [first]: 5, [second]: 5 });
  });

  it('reaches every project when there are more than one claim reads', async () => {
    const all = projects(100);
    for (const id of all) await enqueue(id, 3);
    const seen = new Set<string>();
    for (let index = 0; index < 100 && seen.size < all.length; index++) {
      for (const { projectId } of await claim(8)) seen.add(projectId);
    }
    expect(seen.size).toBe(100);
  });

  it('hands out every row exactly once under concurrent claims', async () => {
    for (const id of projects(5)) await enqueue(id, 40);
    const taken: bigint[] = [];
    while (taken.length < 200) {
      const rounds = await Promise.all(Array.from({ length: 4 }, () => claim(9)));
      taken.push(...rounds.flat().map((item) => item.workId));
    }
    expect(new Set(taken).size).toBe(200);
    expect(await claim(9)).toEqual([]);
  });

  it('claims due alarms first, and no alarm early', async () => {
    const [id] = projects(1) as [string];
    await enqueue(id, 3, "now() + interval '1 h'", 'run_deadline');
    await enqueue(id, 1, "now() - interval '1 s'", 'wait_deadline');
    await enqueue(id, 3);
    expect((await claim(2)).map((item) => item.kind).sort()).toEqual(['node', 'wait_deadline']);
    expect((await claim(9)).map((item) => item.kind)).toEqual(['node', 'node']);
  });
});

describe('an engine', () => {
  it('runs a small project while a large one keeps filling every slot', async () => {
    const { promise, open } = gate();
    peers.inference.reply = ({ prompt }) => (prompt === 'first' ? { gate: promise } : {});
    const engine = await peers.engine({ work: { slots: 2 } });
    const many = Array.from({ length: 100 }, (_, index) => say(`n${index}`, index < 2 ? 'first' : 'large'));
    const execution = { max_parallelism: 100 };
    const large = await createRun(engine.client, { kind: 'workflow.v0', nodes: many, execution });
    await until(() => peers.inference.calls.length === 2);
    const other = secretKey('88888888-8888-4888-8888-888888888888');
    const small = await createRun(engine.client, { kind: 'workflow.v0', nodes: [say('a', 'small')] }, other);
    open();
    await until(() => peers.inference.calls.some((call) => call.prompt === 'small' && call.isDone));
    expect(peers.inference.calls.filter((call) => call.prompt === 'large').length).toBeLessThan(20);
    expect((await awaitEnd(engine.client, large)).status).toBe('succeeded');
    expect(small).not.toBe(PROJECT);
    await engine.stop();
  });
});
