import { describe, expect, it } from '@jest/globals';
import {
  calling,
  callsTools,
  definition,
  readOutputText,
  runAgent,
  startAgent,
  userText,
} from '../../testing/agent-runs.js';
import { checkLog } from '../../testing/check-log.js';
import { callAs } from '../../testing/engine-fixture.js';
import type { FakeCall } from '../../testing/fake-inference.js';
import { awaitEnd, getSnapshot, readEvents, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

const never = new Promise<void>(() => undefined);
const placed = (place: object) => ({ type: 'transform.json', input: { object: place } });
const request = (text: string) => ({ model: 'm', input: [userText(text)] });
const input = (name: string, more: object = {}) => ({ name, type: 'string', ...more });

/** Answers with its input. */
const echo = {
  inputs: [input('a', { required: true }), input('b', { default: 'B' })],
  nodes: [{ id: 'pick', ...placed({ a: { from_input: 'a' }, b: { from_input: 'b' } }) }],
  outputs: [{ name: 'said', from: 'pick' }],
};

const ref = (name: string, inputs?: object) => ({ fragment: { ref: name, ...(inputs && { inputs }) } });

/** The agent's model calls the tools of its user text; models of fragments answer with their prompt. */
const onlyAgentsCall = (call: FakeCall) => (call.body.tools ? callsTools(call) : {});

async function runToolCall(tool: object, fragments: object, args: object): Promise<unknown> {
  peers.agents.put('helper', { tools: [tool], fragments });
  peers.inference.reply = onlyAgentsCall;
  const result = await runAgent(engine, { input: calling(['tool', args]) });
  expect(result).toMatchObject({ status: 'succeeded' });
  await checkLog(engine.client, result.runId);
  return JSON.parse(readOutputText(result.output));
}

describe('a fragment as a tool of an agent', () => {
  it.each<[string, object | undefined, object, object]>([
    ['each input by its own name by default', undefined, { a: '1', b: '2' }, { a: '1', b: '2' }],
    ['the default of a missing input', undefined, { a: '1' }, { a: '1', b: 'B' }],
    ['inputs at their pointers', { a: '/x/y', b: '/z/0' }, { x: { y: '1' }, z: ['2'] }, { a: '1', b: '2' }],
  ])('reads %s', async (_name, inputs, args, said) => {
    expect(await runToolCall(ref('tool', inputs), { tool: echo }, args)).toEqual({ said });
  });

  it('receives all arguments for an empty pointer', async () => {
    const whole = {
      inputs: [{ name: 'all', type: 'object' }],
      nodes: [{ id: 'n', type: 'transform.json', input: { from_input: 'all' } }],
      outputs: [{ name: 'all', from: 'n' }],
    };
    expect(await runToolCall(ref('tool', { all: '' }), { tool: whole }, { q: 1 })).toEqual({ all: { q: 1 } });
  });

  it('declares its name and a parameter for every input to the model', async () => {
    peers.agents.put('helper', {
      tools: [ref('tool', { a: '/x/y' })],
      fragments: { tool: { ...echo, description: 'D' } },
    });
    await runAgent(engine);
    expect(peers.inference.calls[0]!.body.tools?.[0]?.function).toEqual({
      name: 'tool',
      description: 'D',
      parameters: {
        type: 'object',
        properties: {
          x: { type: 'object', properties: { y: { type: 'string' } }, required: ['y'] },
          b: { type: 'string' },
        },
        required: ['x'],
      },
    });
  });

  it('runs conditions, joins, fan-outs and charged model calls as part of the run', async () => {
    const fragment = {
      inputs: [{ name: 'items', type: 'array', required: true }],
      nodes: [
        {
          id: 'each',
          type: 'map.fanout',
          input: {
            items: { from_input: 'items' },
            item_bindings: [{ path: '$', to_placeholder: 'x' }],
            subnode: { type: 'llm.responses', input: { request: request('say {{x}}'), stream: false } },
          },
        },
        {
          id: 'route',
          type: 'route.switch',
          input: { from: 'each', cases: [{ route: 'yes', op: 'exists', path: '$.results' }] },
        },
        { id: 'yes', type: 'transform.json', input: { from: 'each', pointer: `/results/1${TEXT}` } },
        { id: 'no', type: 'transform.json', input: { from: 'each' } },
        { id: 'both', type: 'join.collect' },
      ],
      edges: [
        { from: 'route', to: 'yes', when: { source: 'node_output', op: 'equals', path: '$.route', value: 'yes' } },
        { from: 'route', to: 'no', when: { source: 'node_output', op: 'equals', path: '$.route', value: 'no' } },
        { from: 'yes', to: 'both' },
        { from: 'no', to: 'both' },
      ],
      outputs: [
        { name: 'second', from: 'yes' },
        { name: 'joined', from: 'both' },
        { name: 'skipped', from: 'no' },
      ],
    };
    const said = await runToolCall(ref('tool'), { tool: fragment }, { items: ['a', 'b'] });
    expect(said).toEqual({ second: 'say b', joined: { yes: 'say b' } });
    expect(peers.billing.admitted).toHaveLength(2 + 2);
    await until(() => peers.billing.open.size === 0);
  });

  it('counts towards the usage and cost of the run', async () => {
    const asks = {
      nodes: [{ id: 'ask', type: 'llm.responses', input: request('deep') }],
      outputs: [{ name: 'o', from: 'ask', pointer: TEXT }],
    };
    peers.agents.put('helper', { tools: [ref('tool')], fragments: { tool: asks } });
    peers.inference.reply = onlyAgentsCall;
    const result = await runAgent(engine, { input: calling(['tool', {}]) });
    expect(result.usage).toMatchObject({ steps: 2, llmCalls: 3, toolCalls: 1 });
    expect(result.usage!.costMicrocents).toBe(peers.billing.customerMicrocents());
    const run = await getSnapshot(engine.client, result.runId);
    expect(run.nodes.map(({ id, type }) => [id, type])).toEqual([
      ['agent', 'agent.run'],
      ['agent.tool-0-0-0', 'fragment'],
      ['agent.tool-0-0-0.ask', 'llm.responses'],
    ]);
    expect(run.costSummary?.lineItems.map(({ nodeId }) => nodeId)).toEqual(['agent', 'agent.tool-0-0-0.ask']);
  });

  it('runs agents, including its own, up to their limits', async () => {
    const nested = {
      nodes: [{ id: 'inner', type: 'agent.run', agent: 'helper', input: calling() }],
      outputs: [{ name: 'o', from: 'inner', pointer: '/model' }],
    };
    peers.agents.put('helper', { system: 'S', tools: [ref('tool')], fragments: { tool: nested } });
    peers.inference.reply = callsTools;
    const result = await runAgent(engine, { input: calling(['tool', {}]) });
    expect([result.status, readOutputText(result.output)]).toEqual(['succeeded', '{"o":"m"}']);
    expect(peers.inference.calls).toHaveLength(3);
    await checkLog(engine.client, result.runId);
  });

  it('stops a fragment that calls itself without end', async () => {
    const nested = {
      nodes: [{ id: 'inner', type: 'agent.run', agent: 'helper', input: calling(['tool', {}]) }],
      outputs: [{ name: 'o', from: 'inner', pointer: TEXT }],
    };
    peers.agents.put('helper', { tools: [ref('tool')], fragments: { tool: nested } });
    peers.inference.reply = callsTools;
    const result = await runAgent(engine, { input: calling(['tool', {}]) });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'INVALID_INPUT' } });
    await checkLog(engine.client, result.runId);
  });
});

describe('a failed fragment', () => {
  const failing = {
    nodes: [
      { id: 'bad', type: 'transform.json', input: { from: 'first', pointer: '/none' } },
      { id: 'first', ...placed({}) },
    ],
    outputs: [{ name: 'o', from: 'bad' }],
  };

  it.each<[string, object, string, string | undefined, number]>([
    ['stop', { tool_failure_policy: 'stop' }, 'failed', 'POINTER_NOT_FOUND', 1],
    ['continue', { tool_failure_policy: 'continue' }, 'succeeded', undefined, 1],
    ['retry', { tool_failure_policy: 'retry', tool_retry_count: 2 }, 'failed', 'POINTER_NOT_FOUND', 3],
  ])('applies the tool failure policy: %s', async (_policy, agent, status, code, tries) => {
    peers.agents.put('helper', { tools: [ref('tool')], fragments: { tool: failing }, ...agent });
    peers.inference.reply = callsTools;
    const result = await runAgent(engine, { input: calling(['tool', {}]) });
    expect([result.status, result.error?.code]).toEqual([status, code]);
    const run = await getSnapshot(engine.client, result.runId);
    expect(run.nodes.filter(({ type }) => type === 'fragment').map(({ status: it }) => it)).toEqual(
      Array(tries).fill('failed'),
    );
    await checkLog(engine.client, result.runId);
  });

  it('continues inside the fragment when an edge handles the failure', async () => {
    const handled = {
      nodes: [...failing.nodes, { id: 'after', ...placed({}) }],
      edges: [{ from: 'bad', to: 'after', when: { source: 'node_status', op: 'equals', value: 'failed' } }],
      outputs: [{ name: 'o', from: 'after' }],
    };
    expect(await runToolCall(ref('tool'), { tool: handled }, {})).toEqual({ o: {} });
  });

  it('rejects arguments that do not match its inputs', async () => {
    peers.agents.put('helper', { tools: [ref('tool')], fragments: { tool: echo }, tool_failure_policy: 'continue' });
    peers.inference.reply = callsTools;
    const result = await runAgent(engine, { input: calling(['tool', { a: 1 }]) });
    expect(JSON.parse(readOutputText(result.output))).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });
});

describe('the time limit of an agent', () => {
  it('cancels a running fragment completely', async () => {
    const slow = {
      nodes: [{ id: 'ask', type: 'llm.responses', input: request('deep') }],
      outputs: [{ name: 'o', from: 'ask' }],
    };
    peers.agents.put('helper', { tools: [ref('tool')], fragments: { tool: slow } });
    peers.inference.reply = (call) => (call.body.tools ? callsTools(call) : { gate: never });
    const result = await runAgent(engine, { input: calling(['tool', {}]), options: { maxDurationSec: 4 } });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'AGENT_LIMIT_REACHED' } });
    await until(() => peers.inference.calls.at(-1)!.isAborted);
    await checkLog(engine.client, result.runId);
  });
});

describe('a fragment with client tools', () => {
  it('makes the run wait for the client', async () => {
    const asks = {
      nodes: [
        {
          id: 'ask',
          type: 'llm.responses',
          input: {
            request: { ...request('[["human", {}]]'), tools: [definition('human').definition] },
            tool_execution: { mode: 'client' },
          },
        },
      ],
      outputs: [{ name: 'o', from: 'ask', pointer: TEXT }],
    };
    peers.agents.put('helper', { tools: [ref('tool')], fragments: { tool: asks } });
    peers.inference.reply = callsTools;
    const runId = await startAgent(engine, { input: calling(['tool', {}]) });
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    const waiting = (await readEvents(engine.client, runId, false)).at(-1)!;
    const { step, request_id: holdId, pending_tool_calls: calls } = waiting.waiting;
    const results = [{ toolCallId: calls[0].tool_call_id, name: 'human', output: '"fine"' }];
    await engine.client.submitToolResults({ runId, nodeId: waiting.node_id!, step, holdId, results }, callAs());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    await checkLog(engine.client, runId);
  });
});
