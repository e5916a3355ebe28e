import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import type pg from 'pg';
import { NODE_OUTPUT_KEY } from '../../domain/run/run-event.js';
import { stepHoldId } from '../../domain/values/ids.js';
import { callAs, createPeers, type Peers, type TestEngine } from '../../testing/engine-fixture.js';
import { createRun, readEvents, say, TEXT } from '../../testing/run-client.js';

let database: TestDatabase;
let peers: Peers;
let engine: TestEngine;
let lock: pg.PoolClient;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
});
afterAll(() => database.drop());

beforeEach(async () => {
  peers = createPeers(database);
  engine = await peers.engine();
  lock = await database.pool.connect();
});
afterEach(async () => {
  await lock.query('ROLLBACK');
  lock.release();
  await peers.stopAll();
});

const CHAIN = { kind: 'workflow.v0', nodes: [say('a', 'x'), say('b', 'y')], edges: [{ from: 'a', to: 'b' }] };

const OTHER_OUTPUT = JSON.stringify({ output: [{ content: [{ type: 'text', text: 'another answer' }] }] });

function sayOutput(id: string, from: string): object {
  return say(id, '{{x}}', { bindings: [{ from, pointer: TEXT, to_placeholder: 'x' }] });
}

/** Starts a run and locks its row before the call of node `a`, with the prompt x, is answered. `answer` answers it. */
async function startLocked(spec: object): Promise<{ runId: string; answer: () => void }> {
  let answer = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  peers.inference.reply = ({ prompt }) => (prompt === 'x' ? { gate } : {});
  const runId = await createRun(engine.client, spec);
  await waitUntil(() => peers.inference.calls.some(({ prompt }) => prompt === 'x'), { what: 'the call of a' });
  await lock.query('BEGIN');
  await lock.query('SELECT 1 FROM runs WHERE run_id = $1 FOR UPDATE', [runId]);
  return { runId, answer };
}

/** Lets the call with a prompt wait until it is opened. */
function openGate(prompt: string): { open: () => void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  peers.inference.reply = (call) => (call.prompt === prompt ? { gate } : {});
  return { open: () => open() };
}

async function readTypes(runId: string): Promise<string[]> {
  return (await readEvents(engine.client, runId, false)).map(({ type }) => type);
}

function countAdmissions(holdId: string): number {
  return peers.billing.admitted.filter(({ req }) => req.holdId === holdId).length;
}

it('requests the hold of the next call while the end of the previous node is being written', async () => {
  const { runId, answer } = await startLocked(CHAIN);
  const next = stepHoldId(runId, 'b', 0, 1);
  answer();
  await waitUntil(() => countAdmissions(next) === 1, { what: 'the early admission' });
  expect((await readEvents(engine.client, runId, false)).map(({ type }) => type)).not.toContain('node_succeeded');
  await lock.query('ROLLBACK');
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
  expect(countAdmissions(next)).toBe(1);
  expect(peers.billing.open.size).toBe(0);
  // The transition was made again under the lock, so the call has a row of its own.
  const steps = await database.pool.query("SELECT status FROM run_steps WHERE run_id = $1 AND node_id = 'b'", [runId]);
  expect(steps.rows).toEqual([{ status: 'settled' }]);
});

it('sends no call under a hold that was requested early before the previous node has ended', async () => {
  const { runId, answer } = await startLocked(CHAIN);
  answer();
  await waitUntil(() => countAdmissions(stepHoldId(runId, 'b', 0, 1)) === 1, { what: 'the early admission' });
  await waitUntil(isLockAwaited, { what: 'the end of the first node to wait for the lock' });
  expect(peers.inference.calls).toHaveLength(1);
});

it('releases a hold that was requested early when the run is canceled at that moment', async () => {
  const { runId, answer } = await startLocked(CHAIN);
  // In the same engine, the end of the node would wait for the cancel.
  const other = await peers.engine();
  const canceled = other.client.cancelRun({ runId }, callAs());
  await waitUntil(isLockAwaited, { what: 'the cancel to wait for the lock' });
  const next = stepHoldId(runId, 'b', 0, 1);
  answer();
  await waitUntil(() => countAdmissions(next) === 1, { what: 'the early admission' });
  // A transition that comes after the lock has ended could overtake the cancel.
  await waitUntil(async () => (await database.countLockWaits('runs')) === 2, {
    what: 'the end of the first node to wait as well',
  });
  await lock.query('ROLLBACK');
  await canceled;
  await waitUntil(() => peers.billing.released.has(next), { what: 'the release of the early hold' });
});

it('does not request early the hold of a call that reads the output that is being written', async () => {
  const { runId, answer } = await startLocked({ ...CHAIN, nodes: [say('a', 'x'), sayOutput('b', 'a')] });
  // A query would find an output, as when another process repeats the transition.
  await database.pool.query(
    `INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at) VALUES ($1, 'a', $2, $3, '', $4, now())`,
    [runId, NODE_OUTPUT_KEY, OTHER_OUTPUT.length, OTHER_OUTPUT],
  );
  answer();
  await waitUntil(isLockAwaited, { what: 'the end of the first node to wait for the lock' });
  expect(countAdmissions(stepHoldId(runId, 'b', 0, 1))).toBe(0);
  await lock.query('ROLLBACK');
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
});

it('requests early the hold of a call that reads an output that was written before', async () => {
  const nodes = [say('z', 'w'), say('a', 'x'), sayOutput('b', 'z')];
  const edges = [
    { from: 'z', to: 'a' },
    { from: 'a', to: 'b' },
  ];
  const { runId, answer } = await startLocked({ ...CHAIN, nodes, edges });
  answer();
  await waitUntil(() => countAdmissions(stepHoldId(runId, 'b', 0, 1)) === 1, { what: 'the early admission' });
  await waitUntil(isLockAwaited, { what: 'the end of the previous node to wait for the lock' });
  await lock.query('ROLLBACK');
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
  expect(countAdmissions(stepHoldId(runId, 'b', 0, 1))).toBe(1);
});

it('starts the next call in the transition that ends the previous node', async () => {
  const { open } = openGate('y');
  const runId = await createRun(engine.client, CHAIN);
  await waitUntil(() => peers.inference.calls.some(({ prompt }) => prompt === 'y'), { what: 'the call of b' });
  const { rows } = await database.pool.query(
    `SELECT s.status, s.xmin = e.xmin AS is_together FROM run_steps s
     JOIN run_events e ON e.run_id = s.run_id AND e.node_id = 'a' AND e.type = 'node_succeeded'
     WHERE s.run_id = $1 AND s.node_id = 'b'`,
    [runId],
  );
  expect(rows).toEqual([{ status: 'dispatched', is_together: true }]);
  open();
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
  expect(countAdmissions(stepHoldId(runId, 'b', 0, 1))).toBe(1);
  expect(peers.billing.open.size).toBe(0);
});

it('ends a node while the ledger does not answer for the next one, which then uses that hold', async () => {
  let admit = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    admit = resolve;
  });
  peers.billing.decide = async () => (peers.billing.admitted.length === 2 ? void (await gate) : undefined);
  const runId = await createRun(engine.client, CHAIN);
  await waitUntil(async () => (await readTypes(runId)).includes('node_succeeded'), { what: 'the end of a' });
  expect(peers.inference.calls).toHaveLength(1);
  admit();
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
  expect(countAdmissions(stepHoldId(runId, 'b', 0, 1))).toBe(1);
  expect(peers.billing.open.size).toBe(0);
});

it('starts no call together with the end of a node when that starts the time limit of a join', async () => {
  const { open } = openGate('y');
  const join = { id: 'j', type: 'join.collect', input: { limit: 1, timeout_ms: 60_000 } };
  const edges = [...CHAIN.edges, { from: 'b', to: 'j' }];
  const runId = await createRun(engine.client, { kind: 'workflow.v1', nodes: [...CHAIN.nodes, join], edges });
  await waitUntil(() => peers.inference.calls.some(({ prompt }) => prompt === 'y'), { what: 'the call of b' });
  const alarms = await database.pool.query("SELECT node_id FROM run_work WHERE run_id = $1 AND node_id = 'j'", [runId]);
  expect(alarms.rows).toHaveLength(1);
  open();
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
});

it('requests a hold again after the transition that requested it early was fenced', async () => {
  const { runId, answer } = await startLocked(CHAIN);
  const next = stepHoldId(runId, 'b', 0, 1);
  answer();
  await waitUntil(() => countAdmissions(next) === 1, { what: 'the early admission' });
  await waitUntil(isLockAwaited, { what: 'the end of the first node to wait for the lock' });
  // As after a lease has expired: this engine does not hold the work any more.
  await database.pool.query(
    'UPDATE run_work SET lease_owner = NULL, lease_until = NULL, lease_epoch = lease_epoch + 1 WHERE run_id = $1',
    [runId],
  );
  await lock.query('ROLLBACK');
  expect((await readEvents(engine.client, runId)).at(-1)?.type).toBe('run_completed');
  expect(peers.billing.open.size).toBe(0);
  expect(countAdmissions(next)).toBe(2);
});

async function isLockAwaited(): Promise<boolean> {
  return (await database.countLockWaits('runs')) > 0;
}
