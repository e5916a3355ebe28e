import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { LocalNetwork } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { openParts, type Parts } from '@tollgate/service';
import { type Config, configFromEnv } from '../../config.js';
import { type Context, createContext } from '../../context.js';
import { textDelta } from '../../domain/run/run-event.js';
import { cancelRun, startNode } from '../../domain/run/run-transitions.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import { changeRun } from '../../execution/change-run.js';
import { createRun } from '../../operations/runs/create-run.js';
import { claimWork, extendLeases, putBackWork } from '../../store/queues/run-work.js';
import { appendNodeEvents, readEvents } from '../../store/runs/run-events.js';
import { insertIntent, markDispatched } from '../../store/steps/run-steps.js';
import { callAs, secretKey } from '../../testing/engine-fixture.js';
import { say } from '../../testing/run-client.js';

const A = { owner: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', leaseMs: 60_000 };
const B = { owner: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', leaseMs: 60_000 };

let database: TestDatabase;
/** An engine whose workers do not run; the tests act as the workers. */
let ctx: Context;
let parts: Parts<Config>;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  const config = configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });
  parts = openParts('workflow-engine', config, { network: new LocalNetwork(), logger: silentLogger });
  ctx = await createContext(parts);
});
afterAll(async () => {
  await parts.stop();
  await database.drop();
});

const step = { step: 0, attempt: 1, nodeId: 'a' };
const dispatch = {
  modelId: 'm',
  prices: { inputPerMillionCents: 1n, outputPerMillionCents: 1n, perImageCents: 0n },
  heldMicrocents: 1n,
  llmRequest: '{}',
};

const claim = (max: number) => ({ max, from: randomUUID() });

let runId: string;
let held: WorkItem;

beforeEach(async () => {
  const spec = JSON.stringify({ kind: 'workflow.v0', nodes: [say('a', 'x')] });
  const request = { spec, planHash: '', input: '', sessionId: '', modelOverride: '', idempotencyKey: '' };
  runId = (await createRun(ctx, secretKey(), request, callAs())).runId;
  held = (await claimWork(ctx.pool, A, claim(1)))[0]!;
  expect(held).toMatchObject({ runId, nodeId: 'a', kind: 'node', epoch: 1, retries: 0 });
});
afterEach(async () => {
  await database.pool.query('DELETE FROM run_work');
});

/** The lease of A runs out and B takes over. */
async function depose(): Promise<WorkItem> {
  await database.pool.query("UPDATE run_work SET lease_until = now() - interval '1 ms' WHERE work_id = $1", [
    held.workId,
  ]);
  const [taken] = await claimWork(ctx.pool, B, claim(1));
  expect(taken).toMatchObject({ workId: held.workId, epoch: 2, retries: 1 });
  return taken!;
}

const start = (item: WorkItem, ends: boolean) =>
  changeRun(ctx, runId, { ...item, ends }, async ({ draft }) => {
    startNode(draft, 'a');
  });

describe('work', () => {
  it('belongs to one process at a time', async () => {
    expect(await claimWork(ctx.pool, B, claim(10))).toEqual([]);
  });

  it('passes to another process at once after its lease expires, up to the free slots', async () => {
    const sql = `INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
                 SELECT gen_random_uuid(), $1, 'n' || i, 'node', now(), $2, 1, now() - interval '1 ms'
                 FROM generate_series(1, 50) i`;
    await database.pool.query(sql, [runId, A.owner]);
    expect(await claimWork(ctx.pool, B, claim(40))).toHaveLength(40);
    expect(await claimWork(ctx.pool, B, claim(40))).toHaveLength(10);
  });

  it('stays leased while heartbeats arrive, and a heartbeat reports lost work', async () => {
    expect(await extendLeases(ctx.pool, A, [held])).toEqual(new Set([held.workId]));
    await depose();
    expect(await extendLeases(ctx.pool, A, [held])).toEqual(new Set());
  });

  it('counts as held while a transition has locked its row', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM run_work WHERE work_id = $1 FOR UPDATE', [held.workId]);
      expect(await extendLeases(ctx.pool, A, [held])).toEqual(new Set([held.workId]));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('rejects a release by its former holder', async () => {
    await depose();
    expect(await putBackWork(ctx.pool, held, { delayMs: 0, counts: 'retry' })).toBe(false);
  });
});

describe('a process that lost its lease', () => {
  it('commits no transition', async () => {
    const taken = await depose();
    const before = await readEvents(ctx.pool, runId, 0, 100);
    expect(await start(held, false)).toEqual({ outcome: 'fenced' });
    expect(await start(held, true)).toEqual({ outcome: 'fenced' });
    expect(await readEvents(ctx.pool, runId, 0, 100)).toEqual(before);
    expect(await start(taken, false)).toMatchObject({ outcome: 'done' });
  });

  it('appends no text', async () => {
    expect(await appendNodeEvents(ctx.pool, runId, held, [textDelta('a', 'x')])).toBeDefined();
    const taken = await depose();
    expect(await appendNodeEvents(ctx.pool, runId, held, [textDelta('a', 'stale')])).toBeUndefined();
    expect(await appendNodeEvents(ctx.pool, runId, taken, [textDelta('a', 'y')])).toBeDefined();
    const events = await readEvents(ctx.pool, runId, 0, 100);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(events.map((event) => event.body).join()).not.toContain('stale');
  });

  it('sends no call', async () => {
    await insertIntent(ctx.pool, { ...step, runId, holdId: runId, at: new Date() });
    const taken = await depose();
    expect(await markDispatched(ctx.pool, { ...step, runId }, held, dispatch)).toBe(false);
    expect(await markDispatched(ctx.pool, { ...step, runId }, taken, dispatch)).toBe(true);
    // No other process sends it either.
    expect(await markDispatched(ctx.pool, { ...step, runId }, taken, dispatch)).toBe(false);
  });
});

describe('concurrent writers of one log', () => {
  it('leaves no gap in the log and loses no event', async () => {
    const append = (index: number) =>
      appendNodeEvents(ctx.pool, runId, held, [textDelta('a', `${index}`), textDelta('a', '-')]);
    const done = await Promise.all(Array.from({ length: 40 }, (_, index) => append(index)));
    expect(done.every(Boolean)).toBe(true);
    const events = await readEvents(ctx.pool, runId, 0, 1_000);
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 82 }, (_, index) => index + 1));
  });

  it('writes nothing after the end of the run, in any interleaving', async () => {
    const appends = Array.from({ length: 20 }, (_, index) =>
      appendNodeEvents(ctx.pool, runId, held, [textDelta('a', `${index}`)]),
    );
    const end = changeRun(ctx, runId, undefined, async ({ draft }) => {
      cancelRun(draft);
    });
    const written = (await Promise.all(appends)).filter(Boolean).length;
    await end;
    const events = await readEvents(ctx.pool, runId, 0, 1_000);
    expect(events.at(-1)?.type).toBe('run_canceled');
    expect(events).toHaveLength(3 + written);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });
});
