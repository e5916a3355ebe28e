import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { LocalNetwork } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { openParts, type Parts } from '@tollgate/service';
import { waitUntil } from '@tollgate/testkit';
import { type Config, configFromEnv } from '../config.js';
import { type Context, createContext } from '../context.js';
import { type EventDraft, textDelta } from '../domain/run/run-event.js';
import { emit, startNode } from '../domain/run/run-transitions.js';
import type { WorkItem } from '../domain/run/work-item.js';
import { createRun } from '../operations/runs/create-run.js';
import { claimWork } from '../store/queues/run-work.js';
import { readEvents } from '../store/runs/run-events.js';
import { cuttableLink } from '../testing/cuttable-link.js';
import { callAs, secretKey } from '../testing/engine-fixture.js';
import { say } from '../testing/run-client.js';
import { appendEvents, type Changed, changeRunTogether } from './change-run.js';
import { RunStates } from './run-states.js';
import { RunWriter } from './run-writer.js';

const OWNER = { owner: randomUUID() as string, leaseMs: 60_000 };
const OTHER = { owner: randomUUID() as string, leaseMs: 60_000 };
const RUNS = 8;
/** PostgreSQL rejects it in text. */
const UNWRITABLE: EventDraft = { type: 'node_output_delta', nodeId: 'a', body: '\0' };

let database: TestDatabase;
/** An engine whose workers do not run, with one statement at a time; the tests act as the workers. */
let ctx: Context;
let parts: Parts<Config>;

beforeAll(async () => {
  const migrations = new URL('../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
  const config = configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });
  parts = openParts('workflow-engine', config, { network: new LocalNetwork(), logger: silentLogger });
  const context = await createContext(parts);
  ctx = { ...context, runWriter: new RunWriter({ pool: context.pool, logger: silentLogger, lanes: 1 }) };
});
afterAll(async () => {
  await parts.stop();
  await database.drop();
});
afterEach(() => database.pool.query('DELETE FROM run_work'));

/** Starts runs, and takes the work of their only node. */
async function startRuns(count: number): Promise<WorkItem[]> {
  const spec = JSON.stringify({ kind: 'workflow.v0', nodes: [say('a', 'x')] });
  const request = { spec, planHash: '', input: '', sessionId: '', modelOverride: '', idempotencyKey: '' };
  for (let run = 0; run < count; run++) await createRun(ctx, secretKey(), request, callAs());
  return claimWork(ctx.pool, OWNER, { max: count, from: randomUUID() });
}

function start(item: WorkItem, at: Context = ctx, ends = false): Promise<Changed<void>> {
  return changeRunTogether(at, item.runId, { ...item, ends }, async ({ draft }) => {
    startNode(draft, 'a');
  });
}

function append(item: WorkItem, event: EventDraft): Promise<Changed<void>> {
  return changeRunTogether(ctx, item.runId, { ...item, ends: false }, async ({ draft }) => emit(draft, event));
}

async function expire({ workId }: WorkItem): Promise<void> {
  await database.pool.query("UPDATE run_work SET lease_until = now() - interval '1 ms' WHERE work_id = $1", [workId]);
  expect(await claimWork(ctx.pool, OTHER, { max: 1, from: randomUUID() })).toMatchObject([{ workId, epoch: 2 }]);
}

/** Returns the types of a run's events, after checking that their numbers have no gap. */
async function readLog(runId: string): Promise<string[]> {
  const events = await readEvents(ctx.pool, runId, 0, 1_000);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const { rows } = await database.pool.query('SELECT last_seq FROM runs WHERE run_id = $1', [runId]);
  expect(rows).toEqual([{ last_seq: events.length }]);
  return events.map(({ type }) => type);
}

/** Returns the number of transactions that have last written the runs. */
async function countTransactions(items: readonly WorkItem[]): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(DISTINCT xmin::text)::int FROM runs WHERE run_id = ANY($1)',
    [items.map(({ runId }) => runId)],
  );
  return rows[0]?.count ?? 0;
}

describe('a batch of different runs', () => {
  it('commits in one transaction, each run with its node and its own log', async () => {
    const items = await startRuns(RUNS);
    const changed = await Promise.all(items.map((item) => start(item)));
    expect(changed).toEqual(items.map(() => ({ outcome: 'done', value: undefined })));
    expect(await countTransactions(items)).toBe(1);
    for (const { runId } of items) {
      expect(await readLog(runId)).toEqual(['run_compiled', 'run_started', 'node_started']);
      const { rows } = await database.pool.query('SELECT status FROM run_nodes WHERE run_id = $1', [runId]);
      expect(rows).toEqual([{ status: 'running' }]);
    }
  });

  it('commits without the run whose lease is lost', async () => {
    const items = await startRuns(RUNS);
    const [lost, ...held] = items as [WorkItem, ...WorkItem[]];
    await expire(lost);
    const [fenced, ...changed] = await Promise.all(items.map((item) => start(item)));
    expect(fenced).toEqual({ outcome: 'fenced' });
    expect(changed.every(({ outcome }) => outcome === 'done')).toBe(true);
    expect(await countTransactions(held)).toBe(1);
    expect(await readLog(lost.runId)).toEqual(['run_compiled', 'run_started']);
  });

  it('commits without the run that PostgreSQL refuses to write', async () => {
    const items = await startRuns(RUNS);
    const [refused, ...others] = items as [WorkItem, ...WorkItem[]];
    const results = await Promise.allSettled([append(refused, UNWRITABLE), ...others.map((item) => start(item))]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(results.slice(1).every(({ status }) => status === 'fulfilled')).toBe(true);
    for (const { runId } of others) expect(await readLog(runId)).toHaveLength(3);
    expect(await start(refused)).toMatchObject({ outcome: 'done' });
    expect(await readLog(refused.runId)).toHaveLength(3);
  });

  it('waits for no run that another transaction has locked', async () => {
    const [locked, ...others] = (await startRuns(RUNS)) as [WorkItem, ...WorkItem[]];
    const blocker = await database.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM runs WHERE run_id = $1 FOR UPDATE', [locked.runId]);
    const waiting = start(locked);
    expect((await Promise.all(others.map((item) => start(item)))).every(({ outcome }) => outcome === 'done')).toBe(
      true,
    );
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await waiting).toMatchObject({ outcome: 'done' });
    expect(await readLog(locked.runId)).toHaveLength(3);
  });
});

describe('the log of one run', () => {
  it('keeps the order of the calls', async () => {
    const [item] = (await startRuns(1)) as [WorkItem];
    const texts = Array.from({ length: 30 }, (_, index) => `piece ${index}`);
    await Promise.all(texts.map((text) => appendEvents(ctx, item, [textDelta('a', text)])));
    const events = (await readEvents(ctx.pool, item.runId, 2, 100)).map(({ body }) => body);
    expect(events).toEqual(texts.map((text) => textDelta('a', text).body));
    await readLog(item.runId);
  });

  it('continues after a change by another process', async () => {
    const [item] = (await startRuns(1)) as [WorkItem];
    const other = { ...ctx, runStates: new RunStates() };
    expect(await start(item, other)).toMatchObject({ outcome: 'done' });
    expect(await append(item, textDelta('a', 'x'))).toMatchObject({ outcome: 'done' });
    expect(await start(item)).toMatchObject({ outcome: 'done' });
    const types = ['run_compiled', 'run_started', 'node_started', 'node_output_delta'];
    expect(await readLog(item.runId)).toEqual(types);
  });

  it('has one start of a node that another process has started', async () => {
    const [item] = (await startRuns(1)) as [WorkItem];
    await start(item, { ...ctx, runStates: new RunStates() });
    await start(item);
    expect(await readLog(item.runId)).toEqual(['run_compiled', 'run_started', 'node_started']);
  });

  it('has times that never go back', async () => {
    const [item] = (await startRuns(1)) as [WorkItem];
    await database.pool.query("UPDATE run_events SET ts = now() + interval '1 hour' WHERE run_id = $1", [item.runId]);
    await start(item, { ...ctx, runStates: new RunStates() });
    const times = (await readEvents(ctx.pool, item.runId, 0, 10)).map(({ ts }) => ts.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe('a commit whose answer is lost', () => {
  it('fails its callers, and its repetition writes nothing twice', async () => {
    const items = await startRuns(3);
    const link = await cuttableLink(database.url);
    const pool = createPool({ url: link.url, schema: database.schema });
    await pool.query('SELECT 1');
    link.cutAt(1, 'after');
    const writer = new RunWriter({ pool, logger: silentLogger, lanes: 1 });
    const results = await Promise.allSettled(items.map((item) => start(item, { ...ctx, runWriter: writer }, true)));
    expect(results.map(({ status }) => status)).toEqual(items.map(() => 'rejected'));
    const isWritten = async () =>
      (await database.pool.query('SELECT 1 FROM run_work WHERE kind = $1', ['node'])).rowCount === 0;
    await waitUntil(isWritten, { what: 'the commit' });
    for (const item of items) {
      expect(await start(item, ctx, true)).toEqual({ outcome: 'fenced' });
      expect(await readLog(item.runId)).toHaveLength(3);
    }
    await pool.end();
    await link.close();
  });
});

describe('a writer with two lanes', () => {
  it('shares the waiting transitions evenly', async () => {
    const items = await startRuns(RUNS);
    const paired = { ...ctx, runWriter: new RunWriter({ pool: ctx.pool, logger: silentLogger, lanes: 2 }) };
    await Promise.all(items.map((item) => start(item, paired)));
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS runs FROM runs WHERE run_id = ANY($1) GROUP BY xmin::text',
      [items.map(({ runId }) => runId)],
    );
    expect(rows).toEqual([{ runs: RUNS / 2 }, { runs: RUNS / 2 }]);
    for (const { runId } of items) expect(await readLog(runId)).toHaveLength(3);
  });
});

describe('the queue of transitions', () => {
  it('refuses a transition beyond its bound and writes the others', async () => {
    const items = await startRuns(3);
    const bounded = { ...ctx, runWriter: new RunWriter({ pool: ctx.pool, logger: silentLogger, queueMax: 2 }) };
    const results = await Promise.allSettled(items.map((item) => start(item, bounded)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({
      reason: { code: 'SERVICE_UNAVAILABLE', message: 'too many transitions of runs wait for the database' },
    });
  });

  it('empties before the writer stops, and takes nothing after', async () => {
    const items = await startRuns(3);
    const writer = new RunWriter({ pool: ctx.pool, logger: silentLogger, batchMax: 1 });
    const stopping = { ...ctx, runWriter: writer };
    const [late, ...early] = items as [WorkItem, ...WorkItem[]];
    const waiting = Promise.all(early.map((item) => start(item, stopping)));
    // The transitions reach the queue before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await writer.stop();
    expect((await waiting).every(({ outcome }) => outcome === 'done')).toBe(true);
    await expect(start(late, stopping)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await readLog(late.runId)).toHaveLength(2);
  });
});
