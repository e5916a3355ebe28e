import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { LocalNetwork } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { openParts, type Parts } from '@tollgate/service';
import { type Config, configFromEnv } from '../../config.js';
import { type Context, createContext } from '../../context.js';
import { createPeers, type Peers } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, say, until } from '../../testing/run-client.js';

let database: TestDatabase;
let peers: Peers;
/** A process that halts. */
let halted: Context;
let parts: Parts<Config>;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  peers = createPeers(database);
  const env = { DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema, WORK_LEASE: '2s' };
  parts = openParts('workflow-engine', configFromEnv(env), { network: new LocalNetwork(), logger: silentLogger });
  halted = await createContext(parts);
});
afterAll(async () => {
  await peers.stopAll();
  await parts.stop();
  await database.drop();
});

it('releases a run’s lock within a lease when its process halts in a transition', async () => {
  const { promise, open } = gate();
  peers.inference.reply = () => ({ gate: promise });
  const engine = await peers.engine();
  const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes: [say('a', 'x')] });
  await until(() => peers.inference.calls.length === 1);
  const client = await halted.pool.connect();
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM runs WHERE run_id = $1 FOR UPDATE', [runId]);
  open();
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  // The transaction was ended, not waited for.
  expect(errors[0]).toMatchObject({ code: '25P03' });
  client.release(true);
});
