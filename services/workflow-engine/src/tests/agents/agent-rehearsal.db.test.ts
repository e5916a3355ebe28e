import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { AppError } from '@tollgate/errors';
import {
  type AgentRunInput,
  awaitResult,
  calling,
  callsTools,
  definition,
  readOutputText,
  runAgent,
  startAgent,
  userText,
} from '../../testing/agent-runs.js';
import { checkLog } from '../../testing/check-log.js';
import { callAs, OTHER_PROJECT, secretKey } from '../../testing/engine-fixture.js';
import { awaitEnd, getSnapshot, readEvents, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

beforeEach(() => {
  peers.inference.reply = callsTools;
});

const rehearse = (ask: AgentRunInput) => runAgent(engine, { mode: AgentRunMode.TEST, ...ask });
const tools = ['lookup', 'kv_write', 'kv_read'].map((name) => definition(name));
const failed = { error: { code: 'WEB_SEARCH_FAILED', message: 'no luck' } };

describe('mocks', () => {
  type Report = { served: object; unconsumed: object; unmocked: object };
  const none: Report = { served: {}, unconsumed: {}, unmocked: {} };

  it.each<[string, object, [string, object][], unknown, Partial<Report>]>([
    [
      'the entries of a list in order',
      { lookup: [1, 2] },
      [
        ['lookup', {}],
        ['lookup', {}],
      ],
      2,
      { served: { lookup: 2 } },
    ],
    [
      'the first entry of a longer list',
      { lookup: [1, 2, 3] },
      [['lookup', {}]],
      1,
      { served: { lookup: 1 }, unconsumed: { lookup: 2 } },
    ],
    [
      'the value under the id in the arguments',
      { lookup: { a: 'A', b: 'B' } },
      [['lookup', { id: 'b' }]],
      'B',
      { served: { lookup: 1 }, unconsumed: { lookup: 1 } },
    ],
    [
      'the value under the key in the arguments, any number of times',
      { lookup: { k: 'K' } },
      [
        ['lookup', { key: 'k' }],
        ['lookup', { key: 'k' }],
      ],
      'K',
      { served: { lookup: 2 } },
    ],
    [
      'the whole object when it lacks the id',
      { lookup: { a: 'A' } },
      [['lookup', { id: 'z' }]],
      { a: 'A' },
      { served: { lookup: 1 } },
    ],
    ['a single value', { lookup: 'one' }, [['lookup', {}]], 'one', { served: { lookup: 1 } }],
    ['null', { lookup: null }, [['lookup', {}]], null, { served: { lookup: 1 } }],
    [
      'a mock while another mock is never called',
      { lookup: 1, other: [1, 2] },
      [['lookup', {}]],
      1,
      { served: { lookup: 1 }, unconsumed: { other: 2 } },
    ],
    [
      'a mock under either spelling of the tool name',
      { 'kv.read': { found: true, value: 'x' } },
      [['kv_read', { key: 'a' }]],
      { found: true, value: 'x' },
      { served: { 'kv.read': 1 } },
    ],
    [
      'the tool itself once its mock is exhausted',
      { kv_read: ['x'] },
      [
        ['kv_read', { key: 'a' }],
        ['kv_read', { key: 'a' }],
      ],
      { found: false },
      { served: { kv_read: 1 }, unmocked: { kv_read: 1 } },
    ],
    [
      'the tool itself when there is no mock',
      {},
      [['kv_read', { key: 'a' }]],
      { found: false },
      { unmocked: { kv_read: 1 } },
    ],
  ])('answers tool calls with %s', async (_name, mocks, calls, said, report) => {
    peers.agents.put('helper', { tools });
    const result = await rehearse({ mocks, input: calling(...calls) });
    expect(readOutputText(result.output)).toBe(typeof said === 'string' ? said : JSON.stringify(said));
    expect(result.mocks).toEqual({ ...none, ...report });
    expect(peers.tools.calls).toHaveLength(Object.values(report.unmocked ?? {}).length);
    await checkLog(engine.client, result.runId);
  });

  it('calls no hook and executes no tool, but charges model calls', async () => {
    const hook_id = '77777777-7777-4777-8777-777777777777';
    peers.agents.put('helper', { tools: [{ hook_id, ...definition('crm') }, definition('kv_write')] });
    const mocks = { crm: [{ name: 'Ada' }], kv_write: [{ ok: true }] };
    const result = await rehearse({ mocks, input: calling(['crm', {}], ['kv_write', { key: 'a', value: 'b' }]) });
    expect(result.status).toBe('succeeded');
    expect(peers.tools.calls).toHaveLength(0);
    const types = (await readEvents(engine.client, result.runId)).map(({ type }) => type);
    expect(types).not.toContain('kv_updated');
    expect(result.usage!.costMicrocents).toBe(peers.billing.customerMicrocents());
    expect(result.usage!.costMicrocents).toBeGreaterThan(0n);
  });

  it('replaces fragments', async () => {
    const fragments = {
      deep: {
        nodes: [{ id: 'n', type: 'transform.json', input: { object: {} } }],
        outputs: [{ name: 'o', from: 'n' }],
      },
    };
    peers.agents.put('helper', { tools: [{ fragment: { ref: 'deep' } }], fragments });
    const result = await rehearse({ mocks: { deep: { o: 'mocked' } }, input: calling(['deep', {}]) });
    expect(JSON.parse(readOutputText(result.output))).toEqual({ o: 'mocked' });
    expect((await getSnapshot(engine.client, result.runId)).nodes).toHaveLength(1);
  });

  it('counts a mock that answers with an error as a tool failure', async () => {
    peers.agents.put('helper', { tools });
    const once = await rehearse({ mocks: { lookup: [failed] }, input: calling(['lookup', {}]) });
    expect(once).toMatchObject({ status: 'failed', error: { code: 'WEB_SEARCH_FAILED', message: 'no luck' } });
    const options = { toolFailurePolicy: 'retry', toolRetryCount: 3 };
    const twice = await rehearse({
      mocks: { lookup: [failed, failed, 'ok'] },
      options,
      input: calling(['lookup', {}]),
    });
    expect([twice.status, readOutputText(twice.output), twice.mocks]).toEqual([
      'succeeded',
      'ok',
      { ...none, served: { lookup: 3 } },
    ]);
    const result = await rehearse({
      mocks: { lookup: [failed] },
      options: { toolFailurePolicy: 'continue' },
      input: calling(['lookup', {}]),
    });
    expect(JSON.parse(readOutputText(result.output))).toEqual(failed);
  });

  it('fails a function tool without a mock as TOOL_UNHANDLED', async () => {
    peers.agents.put('helper', { tools });
    peers.tools.reply = () => ({ handled: false });
    const result = await rehearse({ mocks: {}, input: calling(['lookup', {}]) });
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_UNHANDLED' },
      mocks: { unmocked: { lookup: 1 } },
    });
  });
});

describe('a dry run', () => {
  it.each<[string, AgentRunInput]>([
    ['a function tool', { input: calling(['lookup', {}]) }],
    ['a tool of the service', { input: calling(['kv_read', { key: 'a' }]) }],
    ['an exhausted mock', { mocks: { lookup: [1] }, input: calling(['lookup', {}], ['lookup', {}]) }],
    ['under any policy', { options: { toolFailurePolicy: 'continue' }, input: calling(['lookup', {}]) }],
    ['outside of tests', { mode: AgentRunMode.RUN, input: calling(['lookup', {}]) }],
  ])('rejects a call without a mock: %s', async (_name, { options, ...ask }) => {
    peers.agents.put('helper', { tools });
    const refused = rehearse({ ...ask, options: { ...options, dryRun: true } });
    await expect(refused).rejects.toMatchObject({
      code: 'TOOL_NOT_MOCKED',
      status: 400,
      message: expect.stringMatching(/lookup|kv_read/),
    });
    expect(peers.tools.calls).toHaveLength(0);
  });

  it('answers when every call has a mock', async () => {
    peers.agents.put('helper', { tools });
    const result = await rehearse({
      mocks: { lookup: ['x'] },
      options: { dryRun: true },
      input: calling(['lookup', {}]),
    });
    expect(result.status).toBe('succeeded');
  });
});

describe('a replay of a run', () => {
  const replay = (replayRunId: string) => runAgent(engine, { mode: AgentRunMode.REPLAY, replayRunId });
  const comparable = ({ status, outputText, usage, error }: Awaited<ReturnType<typeof runAgent>>) => {
    const { costMicrocents: _cost, $typeName: _name, ...counts } = usage!;
    return JSON.stringify([status, outputText, counts, error?.code, error?.message], (_key, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    );
  };

  /** Neither models nor tools nor the ledger are asked. */
  async function expectReplay(source: Awaited<ReturnType<typeof runAgent>>) {
    const asked = () => [peers.inference.calls.length, peers.tools.calls.length, peers.billing.admitted.length];
    const before = asked();
    peers.inference.reply = () => ({ text: `something else ${Math.random()}` });
    peers.tools.reply = () => ({ output: 'something else' });
    const replayed = await replay(source.runId);
    expect(comparable(replayed)).toBe(comparable(source));
    expect(replayed.usage!.costMicrocents).toBe(0n);
    expect(asked()).toEqual(before);
    const run = await getSnapshot(engine.client, replayed.runId);
    expect(run.costSummary?.totalMicrocents).toBe(0n);
    await checkLog(engine.client, replayed.runId);
    return replayed;
  }

  it('repeats steps, tools and results byte for byte, without charges', async () => {
    peers.agents.put('helper', { tools });
    peers.tools.reply = () => ({ output: { random: Math.random() } });
    const source = await runAgent(engine, {
      input: calling(['lookup', { n: 1 }], ['kv_write', { key: 'a', value: 'b' }]),
    });
    const replayed = await expectReplay(source);
    expect(replayed.mocks).toEqual({ served: { lookup: 1, kv_write: 1 }, unconsumed: {}, unmocked: {} });
    const steps = async (runId: string) =>
      (await engine.client.listRunSteps({ runId, limit: 10, offset: 0 }, callAs())).steps.map((step) => ({
        ...step,
        holdId: '',
        startedAt: undefined,
        endedAt: undefined,
      }));
    expect(await steps(replayed.runId)).toEqual(await steps(source.runId));
  });

  it('repeats fragments, retries and nested agents byte for byte', async () => {
    peers.agents.put('inner', { tools });
    const fragments = {
      deep: {
        nodes: [
          { id: 'ask', type: 'llm.responses', input: { model: 'm', input: [userText('deep')] } },
          { id: 'inner', type: 'agent.run', agent: 'inner', input: calling(['lookup', {}]) },
        ],
        outputs: [
          { name: 'a', from: 'ask', pointer: TEXT },
          { name: 'b', from: 'inner', pointer: TEXT },
        ],
      },
    };
    peers.agents.put('helper', { tools: [{ fragment: { ref: 'deep' } }], fragments });
    peers.inference.reply = (call) => (call.body.tools ? callsTools(call) : {});
    peers.tools.reply = () => (peers.tools.calls.length < 2 ? { output: failed, errorCode: 'WEB_SEARCH_FAILED' } : {});
    const options = { toolFailurePolicy: 'retry', toolRetryCount: 2 };
    peers.agents.put('inner', { tools, tool_failure_policy: 'retry' });
    const source = await runAgent(engine, { options, input: calling(['deep', {}]) });
    expect(source).toMatchObject({ status: 'succeeded', usage: { steps: 2, llmCalls: 5 } });
    await expectReplay(source);
  });

  it.each<[string, () => void, AgentRunInput]>([
    ['a limit', () => undefined, { options: { maxSteps: 1 } }],
    ['a tool', () => (peers.tools.reply = () => ({ output: failed, errorCode: 'WEB_SEARCH_FAILED' })), {}],
    ['a tool without an executor', () => (peers.tools.reply = () => ({ handled: false })), {}],
    [
      'a model',
      () => {
        peers.inference.reply = (call) =>
          peers.inference.calls.length > 1
            ? { error: new AppError('PROVIDER_ERROR', 'broken', { retryable: false }) }
            : callsTools(call);
      },
      {},
    ],
    [
      'a step that took too long',
      () => {
        peers.inference.reply = (call) =>
          peers.inference.calls.length > 1 ? { gate: new Promise(() => undefined) } : callsTools(call);
      },
      { options: { stepTimeoutSec: 2 } },
    ],
  ])('ends like the recorded run that failed because of %s', async (_name, prepare, ask) => {
    peers.agents.put('helper', { tools });
    prepare();
    const source = await runAgent(engine, { ...ask, input: calling(['lookup', {}]) });
    expect(source.status).toBe('failed');
    await expectReplay(source);
  });

  it('replays tests and replays', async () => {
    peers.agents.put('helper', { tools });
    const source = await rehearse({ mocks: { lookup: ['x'] }, input: calling(['lookup', {}]) });
    await expectReplay(await expectReplay(source));
  });

  it('uses the revision of the recorded run after the agent has changed', async () => {
    peers.agents.put('helper', { tools });
    const source = await runAgent(engine, { input: calling(['lookup', {}]) });
    peers.agents.delete('helper');
    await expectReplay(source);
  });

  it.each<[string, () => Promise<AgentRunInput>, string]>([
    ['that is not there', async () => ({ replayRunId: '99999999-9999-4999-8999-999999999999' }), 'NOT_FOUND'],
    ['of another agent', async () => ({ slug: 'other', replayRunId: await startAgent(engine) }), 'NOT_FOUND'],
    [
      'of another project',
      async () => ({ replayRunId: await startAgent(engine), principal: secretKey(OTHER_PROJECT) }),
      'NOT_FOUND',
    ],
    [
      'that has not ended',
      async () => {
        peers.inference.reply = () => ({ gate: new Promise(() => undefined) });
        return { replayRunId: await startAgent(engine) };
      },
      'CONFLICT',
    ],
  ])('rejects a run %s', async (_name, prepare, code) => {
    peers.agents.put('helper');
    peers.inference.reply = () => ({ text: 'ok' });
    const ask = await prepare();
    if (code !== 'CONFLICT')
      await until(async () => (ask.replayRunId?.startsWith('9') ? true : hasEnded(ask.replayRunId!)));
    await expect(startAgent(engine, { mode: AgentRunMode.REPLAY, ...ask })).rejects.toMatchObject({ code });
  });

  const hasEnded = async (runId: string) => (await getSnapshot(engine.client, runId)).status === 'succeeded';

  it('rejects a new run that names the plan hash of a replay', async () => {
    peers.agents.put('helper');
    peers.inference.reply = () => ({ text: 'ok' });
    const source = await runAgent(engine);
    const replayed = await replay(source.runId);
    const { planHash } = await getSnapshot(engine.client, replayed.runId);
    await expect(engine.client.createRun({ planHash }, callAs())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('acts as a test when it names no run', async () => {
    peers.agents.put('helper', { tools });
    const ask = { mode: AgentRunMode.REPLAY, mocks: { lookup: ['x'] }, input: calling(['lookup', {}]) };
    const [one, two] = [await runAgent(engine, ask), await runAgent(engine, ask)];
    expect(one.outputText).toBe(two.outputText);
    expect([one.mocks, two.mocks]).toEqual(Array(2).fill({ served: { lookup: 1 }, unconsumed: {}, unmocked: {} }));
    await awaitEnd(engine.client, one.runId);
    expect(await awaitResult(engine, one.runId)).toEqual(one);
  });
});
