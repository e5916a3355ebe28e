import { describe, expect, it } from '@jest/globals';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import {
  type AgentRunInput,
  awaitResult,
  calling,
  callsTools,
  definition,
  findSystemPrompt,
  readOutputText,
  runAgent,
  startAgent,
  userText,
} from '../../testing/agent-runs.js';
import { checkLog } from '../../testing/check-log.js';
import { CUSTOMER, callAs, customerToken, OTHER_PROJECT, type Peers, secretKey } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, getSnapshot, readEvents, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

const never = new Promise<void>(() => undefined);
const lastCall = () => peers.inference.calls.at(-1)!;

describe('an agent’s run', () => {
  it('answers with its last message and its usage', async () => {
    const id = peers.agents.put('helper', { system: 'Be brief.', tools: [definition('lookup')] });
    peers.inference.reply = callsTools;
    const result = await runAgent(engine, { input: calling(['lookup', { q: 1 }]) });
    expect(result).toMatchObject({ status: 'succeeded' });
    expect(readOutputText(result.output)).toBe('{"ran":"lookup","with":{"q":1}}');
    expect(result.usage).toMatchObject({ steps: 2, llmCalls: 2, toolCalls: 1 });
    expect(result.usage!.costMicrocents).toBe(peers.billing.customerMicrocents());
    expect(peers.billing.admitted).toHaveLength(2);
    expect(peers.billing.open.size).toBe(0);
    const { context } = peers.tools.calls[0]!.request;
    expect(context).toMatchObject({ agentId: id, agentSlug: 'helper', runId: result.runId });
    await checkLog(engine.client, result.runId);
  });

  it('receives its prompt, its messages, its tools and the memory tool', async () => {
    peers.agents.put('helper', { system: 'Be brief.', tools: [definition('lookup')] });
    await runAgent(engine, { input: [userText('one'), userText('two')] });
    const { input, tools, model } = lastCall().body;
    expect(input.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(findSystemPrompt(lastCall())).toBe('Be brief.');
    expect(tools?.map((tool) => tool.function?.name)).toEqual(['lookup', 'memory_write']);
    expect(model).toBe('m');
  });

  it('filters the list of runs by the slug of an agent', async () => {
    peers.agents.put('searched', {});
    const { runId } = await runAgent(engine, { slug: 'searched' });
    const list = async (agent: string) =>
      (await engine.client.listRuns({ agent, limit: 200 }, callAs(secretKey()))).runs.map((run) => run.runId);
    expect(await list('searched')).toEqual([runId]);
    expect(await list('other')).toEqual([]);
  });

  it('puts its memory before its prompt, under a heading and separated by a rule', async () => {
    const id = peers.agents.put('helper', { system: 'Be brief.' });
    peers.agents.memories.set(id, 'The user is called Ada.');
    await runAgent(engine);
    expect(findSystemPrompt(lastCall())).toBe('## Agent Memory\n\nThe user is called Ada.\n\n---\n\nBe brief.');
  });

  it('uses the same memory in all steps although it is rewritten during the run', async () => {
    const id = peers.agents.put('helper', { system: 'S', tools: [definition('lookup')] });
    peers.agents.memories.set(id, 'before');
    peers.tools.reply = () => {
      peers.agents.memories.set(id, 'after');
      return { output: 'ok' };
    };
    peers.inference.reply = callsTools;
    await runAgent(engine, { input: calling(['lookup', {}]) });
    expect(peers.inference.calls.map(findSystemPrompt)).toEqual(Array(2).fill('## Agent Memory\n\nbefore\n\n---\n\nS'));
    await runAgent(engine, { input: calling() });
    expect(findSystemPrompt(lastCall())).toContain('after');
  });

  it('runs with a model without tools when the memory tool is the only one', async () => {
    peers.agents.put('helper', { model: 'sandbox/speech-1' });
    const sandboxed = await peers.engine({ sandboxProvider: true });
    await runAgent(sandboxed);
    expect(lastCall().body.tools).toBeUndefined();
  });

  it('executes a hook tool through its hook', async () => {
    const hook_id = '77777777-7777-4777-8777-777777777777';
    peers.agents.put('helper', { tools: [{ hook_id, ...definition('crm.find') }] });
    peers.inference.reply = callsTools;
    await runAgent(engine, { input: calling(['crm_find', {}]) });
    expect(peers.tools.calls[0]!.request).toMatchObject({ hookId: hook_id, name: 'crm_find' });
  });

  it('stores key-value pairs in its run', async () => {
    peers.agents.put('helper', { tools: [definition('kv_write'), definition('kv_read')] });
    peers.inference.reply = callsTools;
    const result = await runAgent(engine, {
      input: calling(['kv_write', { key: 'a/b', value: 'v' }], ['kv_read', { key: 'a/b' }]),
    });
    expect(readOutputText(result.output)).toBe('{"found":true,"value":"v"}');
    const events = await checkLog(engine.client, result.runId);
    expect(events.map(({ type }) => type)).toContain('kv_updated');
  });
});

describe('options of a run', () => {
  it.each<[string, NonNullable<AgentRunInput['options']>, (call: AgentCall) => void]>([
    ['the model of the options', { model: 'other' }, ({ body }) => expect(body.model).toBe('other')],
    ['the model of the agent without options', {}, ({ body }) => expect(body.model).toBe('m')],
  ])('uses %s', async (_name, options, check) => {
    peers.agents.put('helper');
    await runAgent(engine, { options });
    check(lastCall());
  });

  it('requires a model for an agent without one, unless the customer’s tier has a default', async () => {
    peers.agents.put('helper', { model: '' });
    await expect(startAgent(engine)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'options.model' }],
    });
    expect((await runAgent(engine, { principal: customerToken() })).status).toBe('succeeded');
    expect((await runAgent(engine, { principal: secretKey(undefined, CUSTOMER) })).status).toBe('succeeded');
  });
});

type AgentCall = Peers['inference']['calls'][number];

describe('the limits of an agent', () => {
  const limited = async (agent: object, ask: AgentRunInput) => {
    peers.agents.put('helper', { tools: [definition('again')], ...agent });
    const result = await runAgent(engine, ask);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'AGENT_LIMIT_REACHED' } });
    await checkLog(engine.client, result.runId);
    // Inference settles a call that was cut off.
    await until(() => peers.billing.open.size === 0);
    return result;
  };
  const loops = () => ({ text: 'thinking', toolCalls: [{ id: 'c', name: 'again', arguments: '{}' }] });

  it('fails at max_steps with its last answer', async () => {
    peers.inference.reply = loops;
    const result = await limited({ max_steps: 3 }, {});
    expect(result.usage).toMatchObject({ steps: 3, toolCalls: 2 });
    expect(readOutputText(result.output)).toBe('thinking');
  });

  it('prefers max_steps of the run to that of the agent', async () => {
    peers.inference.reply = loops;
    expect((await limited({ max_steps: 9 }, { options: { maxSteps: 1 } })).usage?.steps).toBe(1);
  });

  it.each([
    ['max_duration_sec', { maxDurationSec: 4 }],
    ['step_timeout_sec', { stepTimeoutSec: 4 }],
  ])('cancels a model call without an answer at %s', async (_name, options) => {
    peers.inference.reply = () => (peers.inference.calls.length === 1 ? loops() : { gate: never });
    const result = await limited({}, { options });
    expect(readOutputText(result.output)).toBe('thinking');
    await until(() => lastCall().isAborted);
  });

  it('fails a tool without an answer at step_timeout_sec', async () => {
    peers.inference.reply = loops;
    peers.tools.reply = () => ({ gate: never });
    await limited({}, { options: { stepTimeoutSec: 4 } });
    await until(() => peers.tools.calls[0]!.isAborted);
  });
});

describe('a failed tool', () => {
  const failing = {
    output: { error: { code: 'WEB_SEARCH_FAILED', message: 'no luck' } },
    errorCode: 'WEB_SEARCH_FAILED',
  };
  const ask = { input: calling(['search', {}]) };

  it.each<[string, object, number, string, string | undefined]>([
    ['stop', { tool_failure_policy: 'stop' }, 1, 'failed', 'WEB_SEARCH_FAILED'],
    ['continue', { tool_failure_policy: 'continue' }, 1, 'succeeded', undefined],
    ['retry, once by default', { tool_failure_policy: 'retry' }, 2, 'failed', 'WEB_SEARCH_FAILED'],
    ['retry three times', { tool_failure_policy: 'retry', tool_retry_count: 3 }, 4, 'failed', 'WEB_SEARCH_FAILED'],
    ['retry zero times', { tool_failure_policy: 'retry', tool_retry_count: 0 }, 1, 'failed', 'WEB_SEARCH_FAILED'],
  ])('applies the tool failure policy: %s', async (_policy, agent, calls, status, code) => {
    peers.agents.put('helper', { tools: [definition('search')], ...agent });
    peers.inference.reply = callsTools;
    peers.tools.reply = () => failing;
    const result = await runAgent(engine, ask);
    expect([result.status, result.error?.code]).toEqual([status, code]);
    expect(peers.tools.calls).toHaveLength(calls);
    // The executor sees each try as a new call.
    expect(peers.tools.distinct().size).toBe(calls);
    expect(result.usage?.toolCalls).toBe(1);
    await checkLog(engine.client, result.runId);
  });

  it('continues with the first successful retry', async () => {
    peers.agents.put('helper', { tools: [definition('search')], tool_failure_policy: 'retry', tool_retry_count: 5 });
    peers.inference.reply = callsTools;
    peers.tools.reply = () => (peers.tools.calls.length < 3 ? failing : { output: 'found' });
    const result = await runAgent(engine, ask);
    expect([result.status, readOutputText(result.output), peers.tools.calls.length]).toEqual(['succeeded', 'found', 3]);
  });

  it.each([
    ['stop', 'failed', 'TOOL_UNHANDLED', 1],
    ['retry', 'failed', 'TOOL_UNHANDLED', 1],
    ['continue', 'succeeded', undefined, 1],
  ] as const)('handles a tool without an executor: %s', async (tool_failure_policy, status, code, calls) => {
    peers.agents.put('helper', { tools: [definition('search')], tool_failure_policy });
    peers.inference.reply = callsTools;
    peers.tools.reply = () => ({ handled: false });
    const result = await runAgent(engine, ask);
    expect([result.status, result.error?.code, peers.tools.calls.length]).toEqual([status, code, calls]);
  });

  it('reports to the model that a hook blocked the call, and the run succeeds', async () => {
    peers.agents.put('helper', { tools: [definition('search')] });
    peers.inference.reply = callsTools;
    peers.tools.reply = () => ({ output: { error: { code: 'FORBIDDEN', message: 'no' } }, errorCode: 'FORBIDDEN' });
    const result = await runAgent(engine, ask);
    expect([result.status, readOutputText(result.output)]).toEqual([
      'succeeded',
      '{"error":{"code":"FORBIDDEN","message":"no"}}',
    ]);
  });
});

describe('access to agents', () => {
  it.each<[string, AgentRunInput, string]>([
    ['a customer', { principal: customerToken() }, 'succeeded'],
    ['a secret key for a customer', { principal: secretKey(undefined, CUSTOMER) }, 'succeeded'],
  ])('lets %s run an agent of the project', async (_name, ask, status) => {
    peers.agents.put('helper');
    const result = await runAgent(engine, ask);
    expect(result.status).toBe(status);
    expect(peers.billing.admitted[0]?.customerId).toBe(CUSTOMER);
  });

  it.each<[string, AgentRunInput, string]>([
    ['an unknown agent', { slug: 'nobody' }, 'NOT_FOUND'],
    ['an agent of another project', { principal: secretKey(OTHER_PROJECT) }, 'NOT_FOUND'],
    ['a test by a customer', { mode: AgentRunMode.TEST, principal: customerToken() }, 'FORBIDDEN'],
    ['a replay by a customer', { mode: AgentRunMode.REPLAY, principal: customerToken() }, 'FORBIDDEN'],
  ])('rejects %s', async (_name, ask, code) => {
    peers.agents.put('helper');
    await expect(startAgent(engine, ask)).rejects.toMatchObject({ code });
  });

  it('hides the agent’s requests from customers', async () => {
    peers.agents.put('helper', { system: 'a secret prompt' });
    const runId = await startAgent(engine, { principal: customerToken() });
    await awaitEnd(engine.client, runId);
    const read = async (principal = customerToken()) => {
      return (await engine.client.listRunSteps({ runId, limit: 10, offset: 0 }, callAs(principal))).steps[0]!;
    };
    expect((await read()).llmRequestJson).toHaveLength(0);
    expect((await read()).llmResponseJson.length).toBeGreaterThan(0);
    expect(Buffer.from((await read(secretKey())).llmRequestJson).toString()).toContain('a secret prompt');
  });
});

describe('a refused run', () => {
  it('returns the refusal and frees the idempotency key when nothing was produced', async () => {
    peers.agents.put('helper');
    peers.billing.decide = () => ({ code: 'WALLET_EMPTY', message: 'empty' });
    const ask = { idempotencyKey: 'k1' };
    await expect(runAgent(engine, ask)).rejects.toMatchObject({ code: 'WALLET_EMPTY', status: 402 });
    peers.billing.decide = () => undefined;
    expect((await runAgent(engine, ask)).status).toBe('succeeded');
  });

  it('returns a result when something was produced', async () => {
    peers.agents.put('helper', { tools: [definition('lookup')] });
    peers.inference.reply = callsTools;
    peers.billing.decide = () =>
      peers.billing.admitted.length > 1 ? { code: 'WALLET_EMPTY', message: 'empty' } : undefined;
    const result = await runAgent(engine, { input: calling(['lookup', {}]) });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'WALLET_EMPTY' }, usage: { steps: 1 } });
    expect(result.output[0]?.tool_calls).toHaveLength(1);
  });
});

describe('the same idempotency key', () => {
  it('returns the same run for the same request, and rejects another request', async () => {
    peers.agents.put('helper');
    const first = await startAgent(engine, { idempotencyKey: 'k2' });
    peers.agents.put('helper', { system: 'changed' });
    expect(await startAgent(engine, { idempotencyKey: 'k2' })).toBe(first);
    const other = startAgent(engine, { idempotencyKey: 'k2', input: [userText('other')] });
    await expect(other).rejects.toMatchObject({ code: 'CONFLICT' });
    const differing = startAgent(engine, { idempotencyKey: 'k2', options: { maxSteps: 3 } });
    await expect(differing).rejects.toMatchObject({ code: 'CONFLICT' });
    peers.agents.delete('helper');
    expect(await startAgent(engine, { idempotencyKey: 'k2' })).toBe(first);
    await expect(startAgent(engine, { idempotencyKey: 'k3' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an agent in a workflow', () => {
  const spec = (agent: string, more: object = {}) => ({
    kind: 'workflow.v0',
    nodes: [{ id: 'a', type: 'agent.run', agent, input: [userText('hi')], ...more }],
    outputs: [{ name: 'o', from: 'a', pointer: TEXT }],
  });

  it('runs at the named revision, or at the current one when the spec was compiled', async () => {
    peers.agents.put('helper', { system: 'one' });
    peers.agents.put('helper', { system: 'two' });
    const hashes = [];
    for (const [reference, prompt] of [
      ['helper', 'two'],
      ['helper@2', 'two'],
      ['helper@1', 'one'],
    ]) {
      const run = await awaitEnd(engine.client, await createRun(engine.client, spec(reference!)));
      expect([run.status, findSystemPrompt(lastCall())]).toEqual(['succeeded', prompt]);
      hashes.push(run.planHash);
    }
    expect(new Set(hashes).size).toBe(2);
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('keeps its pinned revision when the slug is deleted and used again', async () => {
    peers.agents.put('helper', { system: 'old' });
    const { planHash } = await engine.client.compileWorkflow(
      { specJson: Buffer.from(JSON.stringify(spec('helper'))) },
      callAs(),
    );
    peers.agents.delete('helper');
    peers.agents.put('helper', { system: 'new' });
    const { runId } = await engine.client.createRun({ planHash }, callAs());
    await awaitEnd(engine.client, runId);
    expect(findSystemPrompt(lastCall())).toBe('old');
  });

  it('waits only for function tools in client mode', async () => {
    peers.agents.put('helper', { tools: [definition('kv_list'), definition('ask_human')] });
    peers.inference.reply = callsTools;
    const node = { tool_execution: { mode: 'client' }, input: calling(['kv_list', {}], ['ask_human', { q: '?' }]) };
    const runId = await createRun(engine.client, spec('helper', node));
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    const [{ nodeId, step, holdId, toolCalls }] = pending as [(typeof pending)[number]];
    expect(toolCalls).toMatchObject([{ name: 'ask_human', arguments: '{"q":"?"}' }]);
    const results = [{ toolCallId: toolCalls[0]!.toolCallId, name: 'ask_human', output: '"yes"' }];
    await engine.client.submitToolResults({ runId, nodeId, step, holdId, results }, callAs());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    await checkLog(engine.client, runId);
  });

  it('runs for each item of a fan-out', async () => {
    peers.agents.put('helper', { system: 'S' });
    const fan = {
      kind: 'workflow.v1',
      inputs: [{ name: 'items', type: 'array' }],
      nodes: [
        {
          id: 'f',
          type: 'map.fanout',
          input: {
            items: { from_input: 'items' },
            item_bindings: [{ path: '$', to_placeholder: 'x' }],
            subnode: { type: 'agent.run', agent: 'helper@1', input: [userText('say {{x}}')] },
          },
        },
      ],
      outputs: [{ name: 'o', from: 'f' }],
    };
    const { runId } = await engine.client.createRun(
      { specJson: Buffer.from(JSON.stringify(fan)), inputJson: Buffer.from('{"items":["a","b"]}') },
      callAs(),
    );
    const run = await awaitEnd(engine.client, runId);
    expect(run.status).toBe('succeeded');
    expect(peers.inference.calls.map(({ prompt }) => prompt).sort()).toEqual(['say a', 'say b']);
    await checkLog(engine.client, runId);
  });

  it('writes its calls to the event log of the run', async () => {
    peers.agents.put('helper', { tools: [definition('lookup')] });
    peers.inference.reply = callsTools;
    const runId = await createRun(engine.client, spec('helper', { input: calling(['lookup', {}]) }));
    await awaitEnd(engine.client, runId);
    const types = (await readEvents(engine.client, runId)).map(({ type }) => type);
    expect(types.filter((type) => type !== 'node_output_delta')).toEqual([
      'run_compiled',
      'run_started',
      'node_started',
      'node_llm_call',
      'node_tool_call',
      'node_tool_result',
      'node_llm_call',
      'node_output',
      'node_succeeded',
      'run_completed',
    ]);
  });

  it('returns the same run until it has ended, and then starts another, if the key lasts until then', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    peers.agents.put('helper');
    peers.inference.reply = () => ({ gate });
    const ask = { idempotencyKey: 'k4', keyUntilEnd: true };
    const [first, second] = await Promise.all([startAgent(engine, ask), startAgent(engine, ask)]);
    expect(second).toBe(first);
    const other = await startAgent(engine, { ...ask, input: [userText('other')] });
    expect(other).not.toBe(first);
    release();
    await Promise.all([first, other].map((runId) => awaitResult(engine, runId)));
    const again = await startAgent(engine, { ...ask, input: [userText('other')] });
    expect([first, other]).not.toContain(again);
  });
});
