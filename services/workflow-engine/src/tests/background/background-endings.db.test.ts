// Tests responses that are canceled, deleted or discarded, and creations that others overtake.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import { CALL_MS_MAX } from '@tollgate/rpc';
import { backgroundLimits } from '../../domain/background/background-request.js';
import { takeWaitingHolds } from '../../store/background/background-holds.js';
import { awaitQueued, cancelQueued, queue, readQueued } from '../../testing/background-client.js';
import { callAs, customerToken, OTHER_PROJECT, secretKey, type TestEngine } from '../../testing/engine-fixture.js';
import { createRun, gate, say, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };

const { database, peers } = usePeers(import.meta.url);

beforeEach(async () => {
  await database.pool.query('DELETE FROM background_responses');
  await database.pool.query('DELETE FROM background_discards');
});

const start = () => peers.engine({ work, sandboxProvider: true });
const unavailable = () => new AppError('SERVICE_UNAVAILABLE', 'not now', { retryable: true });

async function admitAndQueue(engine: TestEngine, prompt: string, holdId = randomUUID()): Promise<string> {
  peers.billing.open.add(holdId);
  return queue(engine, prompt, { holdId });
}

/** Queues a response whose call waits after its first piece. */
async function dispatch(engine: TestEngine): Promise<string> {
  peers.inference.reply = () => ({ gateAfterFirst: gate().promise });
  const id = await admitAndQueue(engine, 'a longer request');
  await until(() => peers.inference.calls.length === 1);
  return id;
}

const remove = (engine: TestEngine, id: string) =>
  engine.background.deleteBackgroundResponse({ id: toBackgroundResponseId(id) }, callAs(customerToken()));
const discard = (engine: TestEngine, holdId: string) =>
  engine.background.discardBackgroundResponse({ holdId }, callAs(customerToken()));

const makeDiscardsDue = () => database.pool.query("UPDATE background_discards SET due_at = now() - interval '1 s'");

/** Locks the insertions of a project, as another process does. */
async function lockProject(projectId: string): Promise<() => Promise<void>> {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('background_responses/' || $1::text, 0))`, [
    projectId,
  ]);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

describe('a response that is stopped while it runs', () => {
  it('discards the answer of a deleted response', async () => {
    const engine = await start();
    const id = await dispatch(engine);
    await remove(engine, id);
    expect(peers.inference.discarded).toEqual([id]);
    await until(() => peers.inference.calls[0]!.isAborted);
    await expect(readQueued(engine, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['canceled', 'deleted'])(
    'repeats the discard of the answer of a %s response until it succeeds',
    async (how) => {
      const first = await start();
      const id = await dispatch(first);
      peers.inference.discardError = unavailable();
      if (how === 'canceled') expect(await cancelQueued(first, id)).toMatchObject({ status: 'cancelled' });
      else await remove(first, id);
      expect(peers.inference.discardsRefused).toBe(1);
      await first.stop();
      peers.inference.discardError = undefined;
      await start();
      await makeDiscardsDue();
      await until(() => peers.inference.discarded.length > 0);
      expect(peers.inference.discarded).toEqual([id]);
      expect(peers.billing.superseded.size).toBe(0);
      await until(async () => (await database.pool.query('SELECT 1 FROM background_discards')).rows.length === 0);
    },
  );

  it('supersedes a discarded response, even if its discard failed and is never asked for again', async () => {
    const engine = await start();
    const id = await dispatch(engine);
    peers.inference.discardError = unavailable();
    await expect(discard(engine, id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(discard(engine, id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    peers.inference.discardError = undefined;
    await makeDiscardsDue();
    await until(() => peers.inference.discarded.length > 0);
    expect([...peers.billing.superseded]).toEqual([id]);
    expect(peers.billing.customerMicrocents()).toBe(0n);
  });

  it('discards nothing of a response that was never dispatched', async () => {
    peers.billing.decide = unavailable;
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await remove(engine, id);
    expect(peers.inference.discarded).toEqual([]);
    expect(peers.billing.released.has(id)).toBe(true);
  });

  it('leaves the stored answer of a complete response to the delete of stored responses', async () => {
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await awaitQueued(engine, id);
    await remove(engine, id);
    expect(peers.inference.discarded).toEqual([]);
  });
});

it('discards the answer of a lost attempt when the next one is refused', async () => {
  const first = await start();
  const id = await dispatch(first);
  await first.stop();
  peers.billing.decide = () => ({ code: 'PAYMENT_REQUIRED', message: 'no money' });
  const second = await start();
  expect(await awaitQueued(second, id)).toBe('failed');
  expect(peers.inference.discarded).toEqual([id]);
});

it('releases an expired hold before the response is admitted again', async () => {
  const engine = await start();
  const holdId = randomUUID();
  await queue(engine, 'a request', { holdId });
  expect(await awaitQueued(engine, holdId)).toBe('stored');
  expect(peers.billing.releases).toEqual([]);
  const expired = randomUUID();
  peers.billing.expire(expired);
  await queue(engine, 'a request', { holdId: expired });
  expect(await awaitQueued(engine, expired)).toBe('stored');
  expect(peers.billing.releases).toEqual([expired]);
});

it('keeps the hold of a response that waits, and runs it under that hold', async () => {
  peers.billing.decide = unavailable;
  const engine = await start();
  const holdId = randomUUID();
  peers.billing.open.add(holdId);
  await queue(engine, 'a request', { holdId, holdTtlMs: 300 });
  await until(() => peers.billing.kept.filter((id) => id === holdId).length >= 2, 10_000);
  peers.billing.decide = () => undefined;
  expect(await awaitQueued(engine, holdId)).toBe('stored');
  expect(peers.billing.releases).toEqual([]);
  expect(peers.inference.calls.map((call) => call.holdId)).toEqual([holdId]);
});

it('keeps no hold of a response that has ended or was dispatched', async () => {
  const engine = await start();
  const id = await dispatch(engine);
  const before = peers.billing.kept.length;
  const due = `UPDATE background_responses SET hold_due_at = now() - interval '1 s' RETURNING is_dispatched`;
  expect((await database.pool.query(due)).rows).toEqual([{ is_dispatched: true }]);
  expect(await takeWaitingHolds(database.pool, 10)).toEqual([]);
  await cancelQueued(engine, id);
  await database.pool.query(due);
  expect(await takeWaitingHolds(database.pool, 10)).toEqual([]);
  expect(peers.billing.kept).toHaveLength(before);
});

describe('a discard that overtakes the creation', () => {
  it('forbids the creation and releases the hold', async () => {
    const engine = await start();
    const id = randomUUID();
    peers.billing.open.add(id);
    for (let i = 0; i < 2; i++) await discard(engine, id);
    await expect(queue(engine, 'a request', { holdId: id })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(peers.billing.open.size).toBe(0);
    expect(peers.inference.calls).toEqual([]);
    await expect(readQueued(engine, id, secretKey())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(remove(engine, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('waits for a creation that has started, and discards it', async () => {
    const engine = await start();
    const unlock = await lockProject(customerToken().projectId);
    const id = randomUUID();
    const creating = admitAndQueue(engine, 'a request', id).catch(() => undefined);
    await until(isWaitingForLock);
    const discarding = discard(engine, id);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await unlock();
    await Promise.all([creating, discarding]);
    await until(() => peers.billing.open.size === 0);
    expect(peers.billing.customerMicrocents()).toBe(0n);
    await expect(readQueued(engine, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('creates nothing for a caller that has left', async () => {
    const engine = await start();
    const unlock = await lockProject(customerToken().projectId);
    const call = callAs(customerToken(), 300);
    const request = { holdId: randomUUID(), body: Buffer.from('{}'), headJson: Buffer.from('{}') };
    await expect(engine.background.createBackgroundResponse(request, call)).rejects.toThrow();
    await unlock();
    await until(async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND application_name = $1
           AND query LIKE '%background_responses%'`,
        [database.schema],
      );
      return rows.length === 0;
    });
    expect((await database.pool.query('SELECT 1 FROM background_responses')).rows).toEqual([]);
  });
});

async function isWaitingForLock(): Promise<boolean> {
  const { rows } = await database.pool.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
  return rows.length > 0;
}

it('serves other projects while many creations of one wait for its lock', async () => {
  peers.billing.decide = unavailable;
  const engine = await start();
  const unlock = await lockProject(customerToken().projectId);
  const waiting = Array.from({ length: 12 }, () => admitAndQueue(engine, 'a request'));
  await until(isWaitingForLock);
  const other = secretKey(OTHER_PROJECT);
  const id = await queue(engine, 'another request', { principal: other });
  expect(await readQueued(engine, id, other)).toMatchObject({ status: 'queued' });
  await unlock();
  await Promise.all(waiting);
});

it('stops runs and background responses at the same time', async () => {
  const drainMs = 1_500;
  const engine = await peers.engine({ work: { ...work, leaseMs: 60_000, drainMs }, sandboxProvider: true });
  peers.inference.reply = () => ({ gate: gate().promise });
  const id = await admitAndQueue(engine, 'a request');
  await createRun(engine.client, { kind: 'workflow.v0', nodes: [say('a', 'hello')], edges: [] });
  await until(() => peers.inference.calls.length === 2);
  const started = performance.now();
  await engine.stop();
  expect(performance.now() - started).toBeLessThan(2 * drainMs);
  const { rows } = await database.pool.query('SELECT lease_owner FROM background_responses WHERE id = $1', [id]);
  expect(rows).toEqual([{ lease_owner: null }]);
});

it('ends before a server ends the connections that its calls are on', () => {
  expect(backgroundLimits.timeoutMs).toBeLessThan(CALL_MS_MAX);
});
