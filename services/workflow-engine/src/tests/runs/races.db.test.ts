import { beforeEach, describe, expect, it } from '@jest/globals';
import { stepHoldId } from '../../domain/values/ids.js';
import { checkLog } from '../../testing/check-log.js';
import { callAs, type TestEngine } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, getSnapshot, say, TEXT, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

// Runs pairs of concurrent operations many times on two engines: a serial order must be able to produce the result.

const { peers } = usePeers(import.meta.url);
let engines: [TestEngine, TestEngine];

beforeEach(async () => {
  engines = [await peers.engine(), await peers.engine()];
});

const ROUNDS = 20;
const one = {
  kind: 'workflow.v0',
  nodes: [say('a', 'hello there')],
  outputs: [{ name: 'o', from: 'a', pointer: TEXT }],
};
const toolCalls = [{ id: 't', name: 'ask', arguments: '{}' }];

async function rounds(body: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await body(round);
}

/** Waits for zero to a few milliseconds, so that the order of the operations varies. */
async function stagger(round: number): Promise<void> {
  const until = performance.now() + (round % 5) * 1.5;
  while (performance.now() < until) await new Promise(setImmediate);
}

async function awaitCode(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'OK',
    (error: { code: string }) => error.code,
  );
}

async function waitingRun(spec: object = { ...one, nodes: [say('a', 'x', { tool_execution: { mode: 'client' } })] }) {
  peers.inference.reply = ({ body }) => (body.input.length === 1 ? { toolCalls } : {});
  const runId = await createRun(engines[0].client, spec);
  // On a slow machine the wait may end before it is seen.
  await until(async () => ['waiting', 'failed'].includes((await getSnapshot(engines[0].client, runId)).status));
  const holdId = stepHoldId(runId, 'a', 0, 1);
  const results = [{ toolCallId: 't', name: 'ask', output: '1' }];
  return { runId, answer: { runId, nodeId: 'a', step: 0, holdId, results } };
}

describe('a concurrent cancel', () => {
  it('cancels a run that is ending, or fails with a conflict when the run has succeeded', async () => {
    await rounds(async (round) => {
      const { promise, open } = gate();
      peers.inference.reply = () => ({ gate: promise });
      const before = peers.inference.calls.length;
      const runId = await createRun(engines[0].client, one);
      await until(() => peers.inference.calls.length > before);
      open();
      await stagger(round);
      const canceled = await awaitCode(engines[1].client.cancelRun({ runId }, callAs()));
      const { status } = await awaitEnd(engines[0].client, runId);
      await checkLog(engines[1].client, runId);
      expect([canceled, status]).toEqual(canceled === 'OK' ? ['OK', 'canceled'] : ['CONFLICT', 'succeeded']);
    });
    await until(() => peers.billing.open.size === 0);
  });

  it('cancels a run that receives tool results, or fails with a conflict when the run has succeeded', async () => {
    await rounds(async (round) => {
      const { runId, answer } = await waitingRun();
      const answered = awaitCode(engines[0].client.submitToolResults(answer, callAs()));
      await stagger(round);
      const canceled = await awaitCode(engines[1].client.cancelRun({ runId }, callAs()));
      expect(['OK', 'CONFLICT']).toContain(await answered);
      const { status } = await awaitEnd(engines[0].client, runId);
      expect([canceled, status]).toEqual(canceled === 'OK' ? ['OK', 'canceled'] : ['CONFLICT', 'succeeded']);
      await checkLog(engines[0].client, runId);
    });
    await until(() => peers.billing.open.size === 0);
  });

  it('returns the same end as a second cancel', async () => {
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const runId = await createRun(engines[0].client, one);
    const both = await Promise.all(engines.map(({ client }) => client.cancelRun({ runId }, callAs())));
    expect(both[0]?.run?.endedAt).toEqual(both[1]?.run?.endedAt);
    await checkLog(engines[0].client, runId);
  });
});

describe('concurrent tool results', () => {
  it('accepts the same results twice and resumes the node once', async () => {
    const { runId, answer } = await waitingRun();
    const both = await Promise.all(engines.map(({ client }) => client.submitToolResults(answer, callAs())));
    expect(both.map(({ accepted }) => accepted)).toEqual([1, 1]);
    expect((await awaitEnd(engines[0].client, runId)).status).toBe('succeeded');
    expect(peers.inference.calls).toHaveLength(2);
    await checkLog(engines[0].client, runId);
  });

  it('rejects one of two different sets of results as a conflict', async () => {
    const { runId, answer } = await waitingRun();
    const other = { ...answer, results: [{ toolCallId: 't', name: 'ask', output: '2' }] };
    const codes = await Promise.all([
      awaitCode(engines[0].client.submitToolResults(answer, callAs())),
      awaitCode(engines[1].client.submitToolResults(other, callAs())),
    ]);
    expect(codes.sort()).toEqual(['CONFLICT', 'OK']);
    await awaitEnd(engines[0].client, runId);
    await checkLog(engines[0].client, runId);
  });

  it('resumes the node at the wait deadline, or rejects the results and the run fails', async () => {
    const nodes = [say('a', 'x', { tool_execution: { mode: 'client' }, tool_limits: { wait_ttl_ms: 250 } })];
    await rounds(async (round) => {
      const { runId, answer } = await waitingRun({ ...one, nodes });
      const due = Date.now() + 150;
      while (Date.now() < due + round * 8) await new Promise(setImmediate);
      const answered = await awaitCode(engines[0].client.submitToolResults(answer, callAs()));
      const { status, error } = await awaitEnd(engines[1].client, runId);
      const expected = answered === 'OK' ? ['OK', 'succeeded', undefined] : ['CONFLICT', 'failed', 'TOOL_WAIT_TIMEOUT'];
      expect([answered, status, error?.code]).toEqual(expected);
      await checkLog(engines[0].client, runId);
    });
  });
});

describe('a concurrent deadline', () => {
  it('aborts the work of the run on any process during its heartbeats', async () => {
    await peers.stopAll();
    const work = { leaseMs: 5_000, heartbeatMs: 20, pollMs: 30 };
    engines = [await peers.engine({ work }), await peers.engine({ work })];
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const spec = { ...one, execution: { run_timeout_ms: 150 } };
    const runs = await Promise.all(Array.from({ length: 10 }, (_, at) => createRun(engines[at % 2]!.client, spec)));
    for (const runId of runs) {
      expect(await awaitEnd(engines[0].client, runId)).toMatchObject({
        status: 'failed',
        error: { code: 'RELAY_TIMEOUT' },
      });
      await checkLog(engines[1].client, runId);
    }
    await until(() => peers.inference.calls.every((call) => call.isAborted));
    // On a slow machine a lease may be lost before its call is made; the ledger ends such a superseded hold.
    const { open, superseded } = peers.billing;
    await until(() => [...open].every((id) => superseded.has(id)));
  });

  it('leaves a run that is ending succeeded or failed, with one terminal event', async () => {
    await rounds(async (round) => {
      const { promise, open } = gate();
      peers.inference.reply = () => ({ gate: promise });
      const before = peers.inference.calls.length;
      const runId = await createRun(engines[0].client, { ...one, execution: { run_timeout_ms: 120 } });
      // On a slow machine the run may end before its call.
      await until(
        async () =>
          peers.inference.calls.length > before || (await getSnapshot(engines[0].client, runId)).status === 'failed',
      );
      const due = performance.now() + 60 + round * 5;
      while (performance.now() < due) await new Promise(setImmediate);
      open();
      const { status, error } = await awaitEnd(engines[1].client, runId);
      expect(['succeeded', 'failed RELAY_TIMEOUT']).toContain(error ? `${status} ${error.code}` : status);
      await checkLog(engines[0].client, runId);
    });
    await until(() => peers.billing.open.size === 0);
  });
});

describe('concurrent requests to start a run', () => {
  it('creates one run for the same request and returns it to every caller', async () => {
    for (let round = 0; round < 5; round++) {
      const more = { idempotencyKey: `same-${round}` };
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_, at) => createRun(engines[at % 2]!.client, one, undefined, more)),
      );
      expect(new Set(ids).size).toBe(1);
      expect((await awaitEnd(engines[0].client, ids[0]!)).status).toBe('succeeded');
      await checkLog(engines[0].client, ids[0]!);
    }
    expect(peers.inference.calls).toHaveLength(5);
  });

  it('creates one run for two requests with the same key and rejects the other request', async () => {
    const more = { idempotencyKey: 'other' };
    const other = { ...one, name: 'other' };
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        awaitCode(createRun(engines[at % 2]!.client, at % 2 ? one : other, undefined, more)),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(['OK', 'CONFLICT']));
    expect(codes.filter((code) => code === 'OK')).toHaveLength(4);
  });
});
