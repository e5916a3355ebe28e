import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { checkLog } from '../../testing/check-log.js';
import { customerToken, secretKey } from '../../testing/engine-fixture.js';
import { INPUT_PRICE, OUTPUT_PRICE } from '../../testing/fake-billing.js';
import { countTokens } from '../../testing/fake-inference.js';
import { awaitEnd, createRun, getSnapshot, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

const one = { kind: 'workflow.v0', nodes: [say('a', 'hello')], outputs: [{ name: 'o', from: 'a', pointer: TEXT }] };

describe('a failing run', () => {
  async function runToFailure(spec: object, principal = secretKey()) {
    const runId = await createRun(engine.client, spec, principal);
    const run = await awaitEnd(engine.client, runId);
    const events = await checkLog(engine.client, runId);
    expect(run.status).toBe('failed');
    expect(events.slice(-2).map((event) => event.type)).toEqual(['node_failed', 'run_failed']);
    expect(events.at(-2)?.error).toEqual(events.at(-1)?.error);
    return { code: run.error?.code, runId, run };
  }

  it('fails with the admission code when a limit of the customer refuses a step', async () => {
    peers.billing.decide = () => ({ code: 'TIER_ALLOWANCE_EXHAUSTED', message: 'used up' });
    expect((await runToFailure(one, customerToken())).code).toBe('TIER_ALLOWANCE_EXHAUSTED');
    expect(peers.inference.calls).toEqual([]);
  });

  it('fails with the admission code for the owner and a neutral code for the customer at an owner’s limit', async () => {
    peers.billing.decide = () => ({ code: 'PROVIDER_ACCOUNT_UNFUNDED', message: 'top up' });
    expect((await runToFailure(one)).code).toBe('PROVIDER_ACCOUNT_UNFUNDED');
    const { code, runId } = await runToFailure(one, customerToken());
    expect(code).toBe('SERVICE_UNAVAILABLE');
    const { rows } = await database.pool.query('SELECT error_code FROM run_steps WHERE run_id = $1', [runId]);
    expect(rows).toEqual([{ error_code: 'PROVIDER_ACCOUNT_UNFUNDED' }]);
  });

  it('fails with the admission error when the error is final', async () => {
    peers.billing.decide = () => new AppError('INVALID_INPUT', 'unknown model: x');
    expect((await runToFailure(one)).run.error).toMatchObject({ code: 'INVALID_INPUT', message: 'unknown model: x' });
  });

  it('fails with the error of the model call', async () => {
    peers.inference.reply = () => ({ error: new AppError('PROVIDER_ERROR', 'no', { upstreamStatus: 400 }) });
    expect((await runToFailure(one)).code).toBe('PROVIDER_ERROR');
  });

  it('fails with the error event of a stream, and costs the usage before it', async () => {
    peers.inference.reply = () => ({ errorEvent: { code: 'PROVIDER_TIMEOUT', message: 'cut' } });
    const { code, run } = await runToFailure(one);
    expect(code).toBe('PROVIDER_TIMEOUT');
    expect(run.costSummary?.totalMicrocents).toBe(BigInt(countTokens('hello')) * INPUT_PRICE + OUTPUT_PRICE);
  });

  it('fails when a pointer finds nothing', async () => {
    const nodes = [say('a', 'x'), { id: 't', type: 'transform.json', input: { from: 'a', pointer: '/nope' } }];
    expect((await runToFailure({ kind: 'workflow.v0', nodes })).code).toBe('POINTER_NOT_FOUND');
  });

  it('fails when a node’s output is too large, and the output is charged', async () => {
    peers.inference.reply = () => ({ text: 'x'.repeat(5 * 1024 * 1024) });
    const { code, run } = await runToFailure({ kind: 'workflow.v0', nodes: [say('a', 'x', { stream: false })] });
    expect(code).toBe('PAYLOAD_TOO_LARGE');
    expect(run.costSummary?.totalMicrocents).toBe(peers.billing.customerMicrocents());
  });

  it('fails with a provider’s message, even if the message contains NUL', async () => {
    peers.inference.reply = () => ({ error: new AppError('PROVIDER_ERROR', 'nul \0 inside', { upstreamStatus: 400 }) });
    const runId = await createRun(engine.client, one);
    expect((await awaitEnd(engine.client, runId)).error?.message).toBe('nul  inside');
  });

  it('fails when a declared output is missing at the end', async () => {
    const spec = { ...one, outputs: [{ name: 'o', from: 'a', pointer: '/nope' }] };
    const runId = await createRun(engine.client, spec);
    const run = await awaitEnd(engine.client, runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'POINTER_NOT_FOUND' } });
    await checkLog(engine.client, runId);
  });

  it('fails without waiting when the model calls a tool without an executor', async () => {
    peers.inference.reply = () => ({ toolCalls: [{ id: 't1', name: 'lookup', arguments: '{}' }] });
    peers.tools.reply = () => ({ handled: false });
    expect((await runToFailure(one)).code).toBe('TOOL_UNHANDLED');
  });

  it('fails when a node reaches its time limit, and aborts the call', async () => {
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const { code, run } = await runToFailure({ ...one, execution: { node_timeout_ms: 150 } });
    expect(code).toBe('RELAY_TIMEOUT');
    expect(run.costSummary?.ambiguousAttempts).toHaveLength(1);
    await until(() => peers.inference.calls[0]?.isAborted === true);
  });

  it('fails when the run reaches its time limit by the database’s clock', async () => {
    peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
    const runId = await createRun(engine.client, { ...one, execution: { run_timeout_ms: 200 } });
    const run = await awaitEnd(engine.client, runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'RELAY_TIMEOUT' } });
    expect(run.nodes[0]?.status).toBe('canceled');
    await until(() => peers.inference.calls[0]?.isAborted === true);
    await checkLog(engine.client, runId);
  });

  it('cancels its other nodes when one fails', async () => {
    peers.inference.reply = ({ prompt }) =>
      prompt === 'bad' ? { error: new AppError('INVALID_INPUT', 'no') } : { gate: new Promise(() => undefined) };
    const nodes = [say('slow', 'slow'), say('bad', 'bad')];
    const { run } = await runToFailure({ kind: 'workflow.v0', nodes });
    expect(run.nodes.map((node) => node.status)).toEqual(['canceled', 'failed']);
    await until(() => peers.inference.calls.every((call) => call.prompt === 'bad' || call.isAborted));
  });
});

describe('a peer that is temporarily unavailable', () => {
  it('receives the call again under the same id, and the run succeeds', async () => {
    let refusals = 2;
    peers.billing.decide = () => (refusals-- > 0 ? new AppError('SERVICE_UNAVAILABLE', 'down') : undefined);
    const runId = await createRun(engine.client, one);
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    expect(new Set(peers.billing.admitted.map(({ req }) => req.holdId)).size).toBe(1);
    expect(peers.billing.admitted).toHaveLength(3);
  });

  it('receives a lost call again under a new id; the customer pays only for the new one', async () => {
    let failures = 1;
    peers.inference.reply = () => (failures-- > 0 ? { error: new AppError('SERVICE_UNAVAILABLE', 'gone') } : {});
    const runId = await createRun(engine.client, one, customerToken());
    const run = await awaitEnd(engine.client, runId);
    expect(run.status).toBe('succeeded');
    const [lost, kept] = peers.billing.admitted.map(({ req }) => req);
    expect(kept?.supersedesHoldId).toBe(lost?.holdId);
    expect(run.costSummary?.ambiguousAttempts.map((attempt) => attempt.holdId)).toEqual([lost?.holdId]);
    const asCustomer = await getSnapshot(engine.client, runId, customerToken());
    expect(asCustomer.costSummary?.ambiguousAttempts).toEqual([]);
    expect(asCustomer.costSummary?.totalMicrocents).toBe(run.costSummary?.totalMicrocents);
    await checkLog(engine.client, runId);
  });
});
