import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { purgePlans, purgeRuns } from '../store/runs/purge-runs.js';
import { callAs, createPeers, type Peers, type TestEngine } from '../testing/engine-fixture.js';
import { awaitEnd, createRun, getSnapshot, say } from '../testing/run-client.js';

let database: TestDatabase;
let peers: Peers;
let engine: TestEngine;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
  peers = createPeers(database);
  engine = await peers.engine();
});
afterAll(async () => {
  await peers.stopAll();
  await database.drop();
});
beforeEach(() => database.pool.query('DELETE FROM runs'));

const DAY = 24 * 60 * 60_000;
const spec = (text: string) => ({ kind: 'workflow.v0', nodes: [say('a', text)] });

async function endedRun(text: string, daysAgo: number): Promise<string> {
  peers.inference.reply = ({ body }) =>
    body.input.length === 1 ? { toolCalls: [{ id: 't', name: 'kv_write', arguments: '{"key":"k","value":"v"}' }] } : {};
  const runId = await createRun(engine.client, spec(text));
  await awaitEnd(engine.client, runId);
  await database.pool.query(`UPDATE runs SET ended_at = now() - $2 * interval '1 day' WHERE run_id = $1`, [
    runId,
    daysAgo,
  ]);
  return runId;
}

it('deletes old ended runs with all their rows in batches, and keeps younger ones', async () => {
  const old = [await endedRun('a', 40), await endedRun('a', 50), await endedRun('a', 60)];
  const young = await endedRun('a', 20);
  expect(await purgeRuns(database.pool, 30 * DAY, 2)).toBe(2);
  expect(await purgeRuns(database.pool, 30 * DAY, 2)).toBe(1);
  expect(await purgeRuns(database.pool, 30 * DAY, 2)).toBe(0);
  for (const table of ['runs', 'run_nodes', 'run_steps', 'run_tool_results', 'run_artifacts', 'run_events']) {
    const { rows } = await database.pool.query(`SELECT DISTINCT run_id FROM ${table} WHERE run_id = ANY($1)`, [
      [...old, young],
    ]);
    expect([table, rows]).toEqual([table, [{ run_id: young }]]);
  }
  await expect(engine.client.getRun({ runId: old[0]! }, callAs())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await getSnapshot(engine.client, young)).status).toBe('succeeded');
});

it('keeps runs that have not ended', async () => {
  peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
  const runId = await createRun(engine.client, spec('a'));
  await database.pool.query("UPDATE runs SET created_at = now() - interval '90 days' WHERE run_id = $1", [runId]);
  expect(await purgeRuns(database.pool, DAY, 10)).toBe(0);
  await engine.client.cancelRun({ runId }, callAs());
});

it('deletes plans that no run can use any more, and keeps an old plan in use', async () => {
  const specJson = Buffer.from(JSON.stringify(spec('plans')));
  const { planHash } = await engine.client.compileWorkflow({ specJson }, callAs());
  const age = (days: number) =>
    database.pool.query(`UPDATE plans SET last_used_at = now() - $2 * interval '1 day' WHERE plan_hash = $1`, [
      planHash,
      days,
    ]);
  await age(37);
  expect(await purgePlans(database.pool, 30 * DAY, 10)).toBe(0);
  await age(39);
  peers.inference.reply = () => ({});
  const { runId } = await engine.client.createRun({ planHash }, callAs());
  expect(await purgePlans(database.pool, 30 * DAY, 10)).toBe(0);
  await awaitEnd(engine.client, runId);
  await age(39);
  expect(await purgePlans(database.pool, 30 * DAY, 10)).toBe(1);
  await expect(engine.client.createRun({ planHash }, callAs())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
