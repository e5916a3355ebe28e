import { describe, expect, it } from '@jest/globals';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { GrpcNetwork, wasNotDelivered } from '@tollgate/rpc';
import { freePort } from '@tollgate/runtime/free-port';
import { checkLog } from '../../testing/check-log.js';
import { callAs, customerToken } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, getSnapshot, say, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url, { work: { pollMs: 100 } });

const UNAVAILABLE = new AppError('SERVICE_UNAVAILABLE', 'unavailable');
const spec = (stream: boolean) => ({ kind: 'workflow.v0', nodes: [say('a', 'hello there', { stream })] });

async function readSteps(runId: string) {
  const { rows } = await database.pool.query<{ attempt: number; status: string; request_id: string }>(
    'SELECT attempt, status, request_id FROM run_steps WHERE run_id = $1 ORDER BY step, attempt',
    [runId],
  );
  return rows;
}

/** Waits until no cost is unknown, and expects that the run shows the customer's charge. */
async function expectExactCost(runId: string): Promise<void> {
  await until(async () => {
    const { rows } = await database.pool.query('SELECT FROM run_unknown_costs WHERE run_id = $1', [runId]);
    return rows.length === 0;
  });
  const { costSummary } = await getSnapshot(engine.client, runId);
  expect(costSummary?.totalMicrocents).toBe(peers.billing.customerMicrocents());
}

/** Returns the error of a client whose peer does not listen. */
async function undeliveredError(): Promise<AppError> {
  const address = `127.0.0.1:${await freePort()}`;
  const network = new GrpcNetwork({ addresses: { [InferenceService.typeName]: address } });
  try {
    for await (const _frame of network.client(InferenceService).generate({}, callAs())) throw new Error('delivered');
  } catch (error) {
    if (wasNotDelivered(error)) return error as AppError;
    throw error;
  } finally {
    await network.close();
  }
  throw new Error('the call ended');
}

describe('an unavailable ledger', () => {
  it('makes the step wait under the same hold, without counting a failed try', async () => {
    let refusals = 4;
    peers.billing.decide = () => (refusals-- > 0 ? UNAVAILABLE : undefined);
    const runId = await createRun(engine.client, spec(true), customerToken());
    await until(() => peers.billing.admitted.length === 3);
    const { rows } = await database.pool.query(
      "SELECT retries, waits > 0 AS waited FROM run_work WHERE run_id = $1 AND kind = 'node'",
      [runId],
    );
    expect(rows).toEqual([{ retries: 0, waited: true }]);
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    expect(new Set(peers.billing.admitted.map(({ req }) => req.holdId)).size).toBe(1);
    expect(await readSteps(runId)).toMatchObject([{ attempt: 1, status: 'settled' }]);
    await expectExactCost(runId);
  });

  it('fails the step at its deadline and releases a possible hold', async () => {
    peers.billing.decide = ({ holdId }) => {
      peers.billing.open.add(holdId);
      return UNAVAILABLE;
    };
    const runId = await createRun(engine.client, { ...spec(true), execution: { node_timeout_ms: 600 } });
    expect((await awaitEnd(engine.client, runId)).error?.code).toBe('RELAY_TIMEOUT');
    await until(async () => (await readSteps(runId))[0]?.status === 'dropped');
    const [step] = await readSteps(runId);
    expect(peers.billing.released).toEqual(new Set([step?.request_id]));
    expect(peers.billing.open.size).toBe(0);
    expect(peers.inference.calls).toEqual([]);
  });

  it('loses the attempt at the end of a stream; the customer pays for the repeat only', async () => {
    const errorEvent = { code: 'SERVICE_UNAVAILABLE', message: 'could not be settled', retryable: true };
    peers.inference.reply = () => (peers.inference.calls.length === 1 ? { errorEvent, isUnsettled: true } : {});
    const runId = await createRun(engine.client, spec(true), customerToken());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    const [lost, kept] = await readSteps(runId);
    expect([lost?.status, kept?.status]).toEqual(['ambiguous', 'settled']);
    expect(peers.billing.superseded).toEqual(new Set([lost?.request_id]));
    await checkLog(engine.client, runId);
    await expectExactCost(runId);
  });

  it('requests that inference await the settlement of the call', async () => {
    const runId = await createRun(engine.client, spec(true));
    await awaitEnd(engine.client, runId);
    expect(peers.inference.calls[0]?.request.awaitsSettlement).toBe(true);
  });
});

describe('a hold', () => {
  it('gets a replacement when it ends before its call is sent', async () => {
    let isLost = true;
    peers.billing.decide = ({ holdId }) => {
      if (!isLost) return undefined;
      isLost = false;
      peers.billing.expire(holdId);
      return UNAVAILABLE;
    };
    const runId = await createRun(engine.client, spec(true), customerToken());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    const [ended, used] = await readSteps(runId);
    expect([ended?.status, used?.status]).toEqual(['dropped', 'settled']);
    expect(peers.inference.calls.map(({ holdId }) => holdId)).toEqual([used?.request_id]);
    await expectExactCost(runId);
  });

  it('remains for an undelivered call, which is sent again', async () => {
    const undelivered = await undeliveredError();
    let failures = 2;
    peers.inference.reply = () => (failures-- > 0 ? { error: undelivered } : {});
    const runId = await createRun(engine.client, spec(true), customerToken());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    expect(await readSteps(runId)).toMatchObject([{ attempt: 1, status: 'settled' }]);
    expect(peers.inference.calls).toHaveLength(3);
    expect(peers.billing.superseded.size).toBe(0);
    await expectExactCost(runId);
  });

  /** Starts a run whose admission waits until the returned function is called. */
  async function startAdmission(): Promise<{ runId: string; admit: () => void }> {
    const { promise, open } = gate();
    peers.billing.decide = async () => {
      await promise;
      return undefined;
    };
    const runId = await createRun(engine.client, spec(true));
    await until(() => peers.billing.admitted.length === 1);
    return { runId, admit: open };
  }

  it('ends when the run is canceled before the call is sent', async () => {
    const { runId, admit } = await startAdmission();
    await engine.client.cancelRun({ runId }, callAs());
    admit();
    await until(() => peers.billing.released.size === 1);
    expect(peers.billing.open.size).toBe(0);
    expect(peers.inference.calls).toEqual([]);
  });

  it('ends when the run is canceled during a long admission, and the journal has the step', async () => {
    const { runId, admit } = await startAdmission();
    await until(async () => (await readSteps(runId))[0]?.status === 'intent');
    expect((await getSnapshot(engine.client, runId)).nodes[0]?.status).toBe('running');
    await engine.client.cancelRun({ runId }, callAs());
    admit();
    await until(async () => (await readSteps(runId))[0]?.status === 'dropped');
    expect(peers.billing.open.size).toBe(0);
    expect(peers.inference.calls).toEqual([]);
  });

  it('passes to the next holder of the work, which renews it', async () => {
    const { runId } = await startAdmission();
    await database.pool.query(
      "UPDATE run_work SET lease_epoch = 2, lease_until = now() - interval '1 s' WHERE kind = 'node'",
    );
    peers.billing.decide = () => undefined;
    const successor = await peers.engine({ work: { pollMs: 100 } });
    expect((await awaitEnd(successor.client, runId)).status).toBe('succeeded');
    expect(new Set(peers.billing.admitted.map(({ req }) => req.holdId)).size).toBe(1);
    expect(await readSteps(runId)).toMatchObject([{ attempt: 1, status: 'settled' }]);
    expect(peers.billing.released.size).toBe(0);
  });
});

describe('the cost of a run', () => {
  it('includes the charge of a broken stream', async () => {
    peers.inference.reply = () => ({ errorEvent: { code: 'PROVIDER_TIMEOUT', message: 'cut' } });
    const runId = await createRun(engine.client, spec(true), customerToken());
    const run = await awaitEnd(engine.client, runId);
    expect(run.status).toBe('failed');
    expect(peers.billing.customerMicrocents()).toBeGreaterThan(0n);
    expect(run.costSummary?.totalMicrocents).toBe(peers.billing.customerMicrocents());
  });

  it.each([true, false])('includes the charge of a failed call (streamed: %s)', async (stream) => {
    peers.inference.reply = () => ({ errorAfterFirst: new AppError('PROVIDER_ERROR', 'no', { upstreamStatus: 400 }) });
    const runId = await createRun(engine.client, spec(stream), customerToken());
    expect((await awaitEnd(engine.client, runId)).status).toBe('failed');
    expect(peers.billing.customerMicrocents()).toBeGreaterThan(0n);
    await expectExactCost(runId);
  });

  it('includes the charge of a failed attempt before a retry', async () => {
    const error = new AppError('PROVIDER_TIMEOUT', 'cut');
    peers.inference.reply = () => (peers.inference.calls.length === 1 ? { errorAfterFirst: error } : {});
    const node = { ...say('a', 'hello there'), retry: { max_attempts: 2, backoff_ms: 10 } };
    const runId = await createRun(engine.client, { kind: 'workflow.v1', nodes: [node] }, customerToken());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    expect(peers.billing.superseded.size).toBe(0);
    await expectExactCost(runId);
  });
});
