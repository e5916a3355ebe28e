import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { AppError } from '@tollgate/errors';
import { calling, callsTools, definition, readOutputText, runAgent, userText } from '../../testing/agent-runs.js';
import { checkLog } from '../../testing/check-log.js';
import { callAs, customerToken } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, parseJson, readLog, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

beforeEach(() => {
  peers.inference.reply = (call) => {
    const asked = JSON.stringify(call.body.input.findLast(({ role }) => role === 'user'));
    return asked.includes('mcp__') ? callsTools(call) : { text: 'done' };
  };
  peers.tools.listing = (server) => ({ tools: [offered(server, 'find'), offered(server, 'store')] });
});

const PARAMETERS = { type: 'object', properties: { q: { type: 'number' } } };
const offered = (server: string, tool: string) => ({
  name: `mcp__${server}__${tool}`,
  tool,
  description: `Does ${tool}.`,
  parametersJson: JSON.stringify(PARAMETERS),
});
const unavailable = (retryable: boolean) => () => ({ error: 'connection refused', retryable });
const listOffered = (call = peers.inference.calls[0]!) => call.body.tools?.map((tool) => tool.function?.name) ?? [];

/** A run whose node calls `mcp__notes__find`. */
const spec = (options: object = {}, prompt = JSON.stringify([['mcp__notes__find', { q: 1 }]])) => ({
  kind: 'workflow.v1',
  nodes: [{ ...say('a', prompt), input: { ...say('a', prompt).input, mcp_servers: ['notes'], ...options } }],
  outputs: [{ name: 'o', from: 'a', pointer: TEXT }],
});
const callFind = () => calling(['mcp__notes__find', { q: 1 }]);

describe('the tools of an MCP server', () => {
  it('offers the tools to an agent, and executes them at their server', async () => {
    peers.agents.put('helper', { tools: [definition('lookup'), { mcp_server: 'notes' }] });
    const result = await runAgent(engine, { input: callFind() });
    expect(readOutputText(result.output)).toBe('{"ran":"mcp__notes__find","with":{"q":1}}');
    expect(listOffered()).toEqual(['lookup', 'memory_write', 'mcp__notes__find', 'mcp__notes__store']);
    const [{ request }] = peers.tools.calls as [(typeof peers.tools.calls)[0]];
    expect(request).toMatchObject({ mcpServer: 'notes', hookId: '', name: 'mcp__notes__find' });
    expect(parseJson(request.parametersJson)).toEqual(PARAMETERS);
    await checkLog(engine.client, result.runId);
  });

  it('offers the tools to a node of a run, also if the client executes its other tools', async () => {
    const runId = await createRun(engine.client, spec({ tool_execution: { mode: 'client' } }));
    const run = await awaitEnd(engine.client, runId);
    expect(parseJson(run.outputsJson)).toEqual({ o: '{"ran":"mcp__notes__find","with":{"q":1}}' });
    expect(listOffered()).toEqual(['mcp__notes__find', 'mcp__notes__store']);
    expect(peers.tools.calls[0]?.request.mcpServer).toBe('notes');
  });

  it('offers the same tools in all steps of a node, although the server changes them', async () => {
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }] });
    peers.tools.reply = () => {
      peers.tools.listing = () => ({ tools: [offered('notes', 'other')] });
      return { output: 'ok' };
    };
    await runAgent(engine, { input: callFind() });
    expect(peers.inference.calls.map((call) => listOffered(call))).toEqual(
      Array(2).fill(['memory_write', 'mcp__notes__find', 'mcp__notes__store']),
    );
    expect(peers.tools.listed).toEqual([['notes']]);
  });

  it('stores equal tools of a run’s nodes once', async () => {
    const description = 'x'.repeat(50_000);
    peers.tools.listing = (server) => ({ tools: [{ ...offered(server, 'find'), description }] });
    const { id: _id, ...subnode } = spec({}, 'hello').nodes[0]!;
    const runId = await createRun(
      engine.client,
      {
        kind: 'workflow.v1',
        inputs: [{ name: 'list', required: true }],
        nodes: [{ id: 'm', type: 'map.fanout', input: { items: { from_input: 'list' }, subnode } }],
        outputs: [{ name: 'o', from: 'm', pointer: '/results' }],
      },
      undefined,
      { input: { list: Array.from({ length: 8 }, (_, n) => n) } },
    );
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    expect(peers.inference.calls.map((call) => listOffered(call))).toEqual(Array(8).fill(['mcp__notes__find']));
    const { rows } = await database.pool.query(
      "SELECT sum(bytes)::int AS bytes FROM run_artifacts WHERE run_id = $1 AND key LIKE 'mcp_tools%'",
      [runId],
    );
    expect(rows[0].bytes).toBeLessThan(60_000);
  });

  it('lists the tools once, also when a call has to be repeated', async () => {
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }] });
    let failures = 1;
    peers.tools.reply = () => {
      failures -= 1;
      return failures >= 0 ? { error: new AppError('SERVICE_UNAVAILABLE', 'restarting') } : { output: 'ok' };
    };
    expect(await runAgent(engine, { input: callFind() })).toMatchObject({ status: 'succeeded' });
    expect(peers.tools.listed).toHaveLength(1);
    // The call is repeated under its ids, which the server's journal recognizes.
    expect([peers.tools.calls.length, peers.tools.distinct().size]).toEqual([2, 1]);
  });

  it('answers a call from mocks without calling the server', async () => {
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }] });
    const mocks = { mcp__notes__find: { found: 3 } };
    const result = await runAgent(engine, { mode: AgentRunMode.TEST, input: callFind(), mocks });
    expect(readOutputText(result.output)).toBe('{"found":3}');
    expect(peers.tools.calls).toEqual([]);
  });

  it('replays a call as recorded, without the server', async () => {
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }] });
    const { runId, outputText } = await runAgent(engine, { input: callFind() });
    peers.tools.listing = unavailable(true);
    const replay = await runAgent(engine, { mode: AgentRunMode.REPLAY, replayRunId: runId });
    expect(replay.outputText).toBe(outputText);
    expect([peers.tools.listed.length, peers.tools.calls.length]).toEqual([1, 1]);
  });
});

describe('an MCP server that cannot be used', () => {
  it.each([
    [true, 'PROVIDER_ERROR'],
    [false, 'TOOL_UNHANDLED'],
  ])('fails the node of a run (retryable: %s)', async (retryable, code) => {
    peers.tools.listing = unavailable(retryable);
    const runId = await createRun(engine.client, spec());
    const run = await awaitEnd(engine.client, runId);
    expect(run.status).toBe('failed');
    expect((await readLog(engine.client, runId)).join('\n')).toContain(code);
    expect(peers.inference.calls).toHaveLength(0);
  });

  it('leaves an agent that continues after failures without its tools', async () => {
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }], tool_failure_policy: 'continue' });
    peers.tools.listing = unavailable(true);
    expect(await runAgent(engine)).toMatchObject({ status: 'succeeded' });
    expect(listOffered()).toEqual(['memory_write']);
  });

  it('lists the tools again for an agent that retries', async () => {
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }], tool_failure_policy: 'retry', tool_retry_count: 2 });
    peers.tools.listing = unavailable(true);
    await expect(runAgent(engine)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(peers.tools.listed).toHaveLength(3);
  });

  it.each([
    ['stop', 'failed'],
    ['continue', 'succeeded'],
  ] as const)('fails the listing of a silent server at its deadline (policy %s: %s)', async (policy, status) => {
    const settings = { tool_failure_policy: policy, step_timeout_sec: 1 };
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }], ...settings });
    peers.tools.listingGate = new Promise(() => {});
    const ended = await runAgent(engine).then(
      (result) => result.status,
      (error) => (error.code === 'PROVIDER_TIMEOUT' ? 'failed' : error),
    );
    expect(ended).toBe(status);
    expect(peers.tools.listed).toHaveLength(1);
  });

  it('delays the node while the service that lists its tools is unavailable', async () => {
    let isDown = true;
    peers.tools.listing = () => {
      if (isDown) throw new AppError('SERVICE_UNAVAILABLE', 'restarting');
      return {};
    };
    const runId = await createRun(engine.client, spec({}, 'hello'));
    await until(() => peers.tools.listed.length > 0);
    isDown = false;
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  });
});

describe('a spec', () => {
  it('refuses mcp_servers in a customer’s spec, in every type of node, and in a plan of the owner', async () => {
    const subnode = { type: 'llm.responses', input: spec().nodes[0]?.input };
    const fanout = {
      kind: 'workflow.v1',
      inputs: [{ name: 'list', required: true }],
      nodes: [{ id: 'm', type: 'map.fanout', input: { items: { from_input: 'list' }, subnode } }],
      outputs: [{ name: 'o', from: 'm', pointer: '/results' }],
    };
    for (const [refused, input] of [[spec()], [fanout, { list: [] }]] as const) {
      const denied = createRun(engine.client, refused, customerToken(), { input });
      await expect(denied).rejects.toMatchObject({ code: 'FORBIDDEN' });
      const specJson = Buffer.from(JSON.stringify(refused));
      const compiled = engine.client.compileWorkflow({ specJson }, callAs(customerToken()));
      await expect(compiled).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const specJson = Buffer.from(JSON.stringify(spec()));
    const { planHash } = await engine.client.compileWorkflow({ specJson }, callAs());
    const started = engine.client.createRun({ planHash }, callAs(customerToken()));
    await expect(started).rejects.toMatchObject({ code: 'FORBIDDEN' });
    peers.agents.put('helper', { tools: [{ mcp_server: 'notes' }] });
    expect(await runAgent(engine, { input: [userText('hi')], principal: customerToken() })).toMatchObject({
      status: 'succeeded',
    });
  });

  it.each([[[]], [['a', 'a']], [['Not A Name']], [Array.from({ length: 17 }, (_, n) => `s${n}`)], ['notes']])(
    'rejects mcp_servers %j',
    async (servers) => {
      const started = createRun(engine.client, spec({ mcp_servers: servers }));
      await expect(started).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );

  it('fails when it declares a tool with the name of a server’s tool', async () => {
    const tools = [{ type: 'function', function: { name: 'mcp__notes__own' } }];
    const runId = await createRun(engine.client, spec({ request: { ...say('a', 'x').input.request, tools } }));
    expect((await awaitEnd(engine.client, runId)).status).toBe('failed');
    expect((await readLog(engine.client, runId)).join('\n')).toContain('has the name of a tool of the MCP server');
  });
});
