import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { checkLog } from '../../testing/check-log.js';
import { callAs, customerToken, OTHER_PROJECT, SESSION, secretKey } from '../../testing/engine-fixture.js';
import type { FakeReply } from '../../testing/fake-inference.js';
import {
  awaitEnd,
  createRun,
  gate,
  getSnapshot,
  type PublicEvent,
  parseJson,
  say,
  TEXT,
  until,
} from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

type Call = [name: string, args: object];

/** A model that makes these calls one step after the other, and then says how many results it has read. */
function script(steps: Record<string, Call[][]>): void {
  peers.inference.reply = ({ body, prompt }): FakeReply => {
    const first = body.input[0]?.content?.[0];
    const who = first?.type === 'text' ? first.text : prompt;
    const done = body.input.filter((message) => message.role === 'assistant').length;
    const calls = steps[who]?.[done];
    if (!calls) return { text: `read ${body.input.filter((message) => message.role === 'tool').length}` };
    return {
      text: '',
      toolCalls: calls.map(([name, args], index) => ({
        id: `c${done}.${index}`,
        name,
        arguments: JSON.stringify(args),
      })),
    };
  };
}

const one = (extra: object = {}) => ({
  kind: 'workflow.v0',
  nodes: [say('a', 'a', extra)],
  outputs: [{ name: 'o', from: 'a', pointer: TEXT }],
});
const listTypes = (events: readonly PublicEvent[]) => events.map((event) => event.type);
const resultsIn = (events: readonly PublicEvent[]) =>
  events.filter((event) => event.type === 'node_tool_result').map((event) => JSON.parse(event.tool_result.output));

async function listTasks(runId: string): Promise<unknown> {
  return parseJson((await engine.client.listRunTasks({ runId }, callAs())).tasksJson);
}

describe('a tool that the service executes', () => {
  it('runs between model calls, each step under a separate hold, with events in order', async () => {
    script({
      a: [
        [['web_search', { query: 'x' }]],
        [
          ['kv_write', { key: 'k', value: 'v' }],
          ['kv_read', { key: 'k' }],
        ],
      ],
    });
    const runId = await createRun(engine.client, one());
    const run = await awaitEnd(engine.client, runId);
    expect(parseJson(run.outputsJson)).toEqual({ o: 'read 3' });
    const events = await checkLog(engine.client, runId);
    expect(listTypes(events).filter((type) => !type.startsWith('run_'))).toEqual([
      'node_started',
      'node_llm_call',
      'node_tool_call',
      'node_tool_result',
      'node_llm_call',
      'node_tool_call',
      'node_tool_call',
      'node_tool_result',
      'kv_updated',
      'node_tool_result',
      'node_output_delta',
      'node_llm_call',
      'node_output',
      'node_succeeded',
    ]);
    expect(resultsIn(events)).toEqual([
      { ran: 'web_search', with: { query: 'x' } },
      { ok: true },
      { found: true, value: 'v' },
    ]);
    expect(peers.billing.admitted).toHaveLength(3);
    expect(new Set(peers.billing.admitted.map(({ req }) => req.holdId)).size).toBe(3);
    expect(peers.billing.customerMicrocents()).toBe(run.costSummary?.totalMicrocents);
    expect(peers.inference.calls.every(({ request }) => request.returnsToolCalls)).toBe(true);
    expect(peers.inference.calls[2]!.body.input.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'tool',
    ]);
  });

  it('runs under the ids of its step, as the principal of the run', async () => {
    script({ a: [[['message_send', { to: 'x' }]]] });
    const runId = await createRun(engine.client, one(), customerToken());
    await awaitEnd(engine.client, runId);
    const [{ request, customerId }] = peers.tools.calls as [(typeof peers.tools.calls)[0]];
    expect(request).toMatchObject({ holdId: peers.inference.calls[0]!.holdId, toolCallId: 'c0.0' });
    expect(request.context).toMatchObject({ runId });
    expect(customerId).toBe(customerToken().customerId);
  });

  it('includes its result in the listed steps, which only the project of the run can read', async () => {
    script({ a: [[['web_search', { query: 'x' }]]] });
    const runId = await createRun(engine.client, one());
    await awaitEnd(engine.client, runId);
    const { steps, hasMore } = await engine.client.listRunSteps({ runId, limit: 10, offset: 0 }, callAs());
    expect(hasMore).toBe(false);
    expect(steps.map(({ step, status, toolResults }) => [step, status, toolResults.length])).toEqual([
      [0, 'settled', 1],
      [1, 'settled', 0],
    ]);
    expect(parseJson(steps[1]!.llmRequestJson)).toMatchObject({ input: [{ role: 'user' }, {}, { role: 'tool' }] });
    const page = await engine.client.listRunSteps({ runId, limit: 1, offset: 0 }, callAs());
    expect([page.steps.length, page.hasMore]).toEqual([1, true]);
    const foreign = engine.client.listRunSteps({ runId, limit: 1, offset: 0 }, callAs(secretKey(OTHER_PROJECT)));
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('adds its cost to the model calls of its node', async () => {
    script({ a: [[['image_generation', { prompt: 'x' }]]] });
    peers.tools.reply = () => ({ costMicrocents: 4_000_000n });
    const spec = one();
    const [node] = spec.nodes as [ReturnType<typeof say>];
    const image = { type: 'image_generation', image_generation: { model: 'img-1' } };
    Object.assign(node.input.request, { tools: [image] });
    const runId = await createRun(engine.client, spec);
    const { costSummary } = await awaitEnd(engine.client, runId);
    expect(peers.tools.calls[0]!.request.imageModel).toBe('img-1');
    expect(costSummary?.lineItems.find((line) => line.model === 'img-1')).toMatchObject({
      nodeId: 'a',
      microcents: 4_000_000n,
      requests: 1,
    });
    expect(costSummary?.totalMicrocents).toBe(peers.billing.customerMicrocents() + 4_000_000n);
  });

  it('reports arguments that hooks have changed', async () => {
    script({ a: [[['kv_write', { key: 'k', value: 'v' }]]] });
    peers.tools.reply = () => ({ arguments: '{"key":"k","value":"changed"}' });
    const runId = await createRun(engine.client, one());
    await awaitEnd(engine.client, runId);
    const events = await checkLog(engine.client, runId);
    const result = events.find((event) => event.type === 'node_tool_result')?.tool_result;
    expect(result.arguments).toBe('{"key":"k","value":"changed"}');
  });

  it('receives a call again under the same ids while its service is unavailable', async () => {
    script({ a: [[['web_search', { query: 'x' }]]] });
    let isDown = true;
    peers.tools.reply = () => (isDown ? { error: new AppError('SERVICE_UNAVAILABLE', 'down') } : {});
    const runId = await createRun(engine.client, one());
    // It is no failed try, of which a run has a limited number.
    const waits = 'SELECT 1 FROM run_work WHERE run_id = $1 AND retries = 0 AND waits > 1';
    await until(async () => (await database.pool.query(waits, [runId])).rowCount === 1);
    isDown = false;
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    expect(peers.tools.calls.length).toBeGreaterThan(2);
    expect(peers.tools.distinct().size).toBe(1);
    expect(peers.inference.calls).toHaveLength(2);
    await checkLog(engine.client, runId);
  });
});

describe('a failing node with tools', () => {
  async function runToFailure(spec: object, principal = secretKey()) {
    const runId = await createRun(engine.client, spec, principal);
    const run = await awaitEnd(engine.client, runId);
    await checkLog(engine.client, runId);
    expect(run.status).toBe('failed');
    return run.error;
  }

  it('fails when a call has no executor', async () => {
    script({
      a: [
        [
          ['web_search', { query: 'x' }],
          ['lookup', {}],
        ],
      ],
    });
    peers.tools.reply = ({ name }) => ({ handled: name !== 'lookup' });
    expect((await runToFailure(one()))?.code).toBe('TOOL_UNHANDLED');
  });

  it('fails at the model-call limit, without executing the last tool calls', async () => {
    script({ a: [[['kv_list', {}]], [['kv_list', {}]], [['kv_list', {}]]] });
    expect((await runToFailure(one({ tool_limits: { max_llm_calls: 2 } })))?.code).toBe('TOOL_LOOP_LIMIT');
    expect([peers.inference.calls.length, peers.tools.calls.length]).toEqual([2, 1]);
  });

  it('fails when the model makes too many calls in one step', async () => {
    script({
      a: [
        [
          ['kv_list', {}],
          ['kv_list', {}],
        ],
      ],
    });
    expect((await runToFailure(one({ tool_limits: { max_tool_calls_per_step: 1 } })))?.code).toBe('TOOL_LOOP_LIMIT');
    expect(peers.tools.calls).toEqual([]);
  });

  it('fails when a fail-closed hook fails, even with a retryable error', async () => {
    script({ a: [[['kv_list', {}]]] });
    peers.tools.reply = () => ({ error: new AppError('HOOK_FAILED', 'no answer', { retryable: true }) });
    expect((await runToFailure(one()))?.code).toBe('HOOK_FAILED');
    expect(peers.tools.calls).toHaveLength(1);
  });

  it('fails with a neutral code for a customer when a tool exceeds a limit of the owner', async () => {
    script({ a: [[['image_generation', { prompt: 'x' }]]] });
    peers.tools.reply = () => ({ error: new AppError('PROVIDER_ACCOUNT_UNFUNDED', 'top up') });
    expect((await runToFailure(one()))?.code).toBe('PROVIDER_ACCOUNT_UNFUNDED');
    expect((await runToFailure(one(), customerToken()))?.code).toBe('SERVICE_UNAVAILABLE');
  });

  it('fails when a tool exceeds the node’s time limit, and aborts the tool', async () => {
    script({ a: [[['web_fetch', { url: 'x' }]]] });
    peers.tools.reply = () => ({ gate: new Promise(() => undefined) });
    expect((await runToFailure({ ...one(), execution: { node_timeout_ms: 300 } }))?.code).toBe('RELAY_TIMEOUT');
    await until(() => peers.tools.calls[0]?.isAborted === true);
  });
});

describe('key-value pairs and tasks of a run', () => {
  it('stores pairs and tasks, reports the call that wrote them and shares them with all nodes', async () => {
    const tasks = [{ content: 'x', status: 'pending' }];
    script({
      a: [
        [
          ['kv_write', { key: 'n/a', value: '1' }],
          ['tasks_write', { tasks }],
        ],
      ],
      b: [
        [
          ['kv_read', { key: 'n/a' }],
          ['kv.delete', { key: 'n/a' }],
          ['kv_list', {}],
        ],
      ],
    });
    const nodes = [say('a', 'a'), say('b', 'b')];
    const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes, edges: [{ from: 'a', to: 'b' }] });
    await awaitEnd(engine.client, runId);
    const events = await checkLog(engine.client, runId);
    expect(resultsIn(events)).toEqual([
      { ok: true },
      { ok: true },
      { found: true, value: '1' },
      { ok: true, deleted: true },
      { keys: [] },
    ]);
    expect(events.filter((event) => event.type === 'kv_updated').map((event) => event.kv_update)).toMatchObject([
      { artifact_key: 'run_memory.v0', key: 'n/a', deleted: false, tool_call_id: 'c0.0' },
      { artifact_key: 'run_memory.v0', key: 'n/a', deleted: true, tool_call_id: 'c0.1' },
    ]);
    expect(events.find((event) => event.type === 'task_list_updated')?.task_list).toMatchObject({
      artifact_key: 'run_tasks.v0',
      tasks,
    });
    expect(await listTasks(runId)).toEqual(tasks);
    const { rows } = await database.pool.query(
      "SELECT key, body FROM run_artifacts WHERE run_id = $1 AND node_id = '' ORDER BY key",
      [runId],
    );
    expect(rows).toEqual([
      { key: 'run_memory.v0', body: '{}' },
      { key: 'run_tasks.v0', body: JSON.stringify(tasks) },
    ]);
  });

  it('loses no concurrent write', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const steps = names.map((name): [string, Call[][]] => [
      name,
      [[['kv_write', { key: `${name}/0`, value: name }]], [['kv_write', { key: `${name}/1`, value: name }]]],
    ]);
    script(Object.fromEntries(steps));
    const { promise, open } = gate();
    // All of them have read the same state before any of them writes.
    peers.tools.reply = () => ({ gate: promise });
    const other = await peers.engine();
    const nodes = [...names.map((name) => say(name, name)), say('last', 'last')];
    script({ ...Object.fromEntries(steps), last: [[['kv_list', {}]]] });
    const edges = names.map((from) => ({ from, to: 'last' }));
    const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes, edges });
    await until(() => peers.tools.calls.length === names.length);
    open();
    await awaitEnd(other.client, runId);
    const events = await checkLog(engine.client, runId);
    const written = names.flatMap((name) => [`${name}/0`, `${name}/1`]).sort();
    expect(resultsIn(events).at(-1)).toEqual({ keys: written });
  });

  it('passes the session or state handle, when one is set, instead of the state of the run', async () => {
    script({ a: [[['kv_write', { key: 'k', value: 'v' }]]] });
    const stateId = '99999999-9999-4999-8999-999999999999';
    peers.tools.reply = () => ({ output: { ok: true } });
    const spec = one();
    await awaitEnd(engine.client, await createRun(engine.client, spec, undefined, { sessionId: SESSION }));
    const [node] = spec.nodes as [ReturnType<typeof say>];
    Object.assign(node.input.request, { state_id: stateId });
    const runId = await createRun(engine.client, spec, undefined, { sessionId: SESSION });
    await awaitEnd(engine.client, runId);
    const contexts = peers.tools.calls.map(({ request }) => request.context);
    expect(contexts).toMatchObject([
      { sessionId: SESSION, stateId: '', runStateJson: new Uint8Array(0) },
      { sessionId: '', stateId, runStateJson: new Uint8Array(0) },
    ]);
    const events = await checkLog(engine.client, runId);
    expect(listTypes(events)).not.toContain('kv_updated');
    expect(await listTasks(runId)).toEqual([]);
  });

  it('calls tools for a request whose settings a binding writes and whose text PostgreSQL cannot read as JSON', async () => {
    const stateId = '99999999-9999-4999-8999-999999999999';
    script({ a: [[['kv_write', { key: 'k', value: 'v' }]]] });
    const scripted = peers.inference.reply;
    peers.inference.reply = (asked) => (asked.prompt === 'name a state' ? { text: stateId } : scripted(asked));
    peers.tools.reply = () => ({ output: { ok: true } });
    const spec = one();
    const [node] = spec.nodes as [ReturnType<typeof say>];
    node.input.request.input[0]!.content.push({ type: 'text', text: 'NUL \u0000 and half a pair \ud83d' });
    Object.assign(node, { input: { ...node.input, bindings: [{ from: 'first', pointer: TEXT, to: '/state_id' }] } });
    const nodes = [say('first', 'name a state'), node];
    const runId = await createRun(engine.client, { ...spec, nodes, edges: [{ from: 'first', to: node.id }] });
    await awaitEnd(engine.client, runId);
    expect(peers.tools.calls.map(({ request }) => request.context)).toMatchObject([{ stateId }]);
  });

  it('starts no run when the session does not exist', async () => {
    const sessionId = '99999999-9999-4999-8999-999999999999';
    await expect(createRun(engine.client, one(), undefined, { sessionId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('service and client tools in client mode', () => {
  it('runs the service’s tools first and waits for the client only for the rest', async () => {
    script({
      a: [
        [
          ['ask', { q: 1 }],
          ['kv_write', { key: 'k', value: 'v' }],
          ['ask', { q: 2 }],
        ],
      ],
    });
    const runId = await createRun(engine.client, one({ tool_execution: { mode: 'client' } }));
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    expect(pending.map(({ toolCalls }) => toolCalls.map((call) => call.toolCallId))).toEqual([['c0.0', 'c0.2']]);
    const submit = (ids: string[]) =>
      engine.client.submitToolResults(
        {
          runId,
          nodeId: 'a',
          step: 0,
          holdId: pending[0]!.holdId,
          results: ids.map((toolCallId) => ({ toolCallId, name: 'ask', output: `"${toolCallId}"` })),
        },
        callAs(),
      );
    await expect(submit(['c0.0', 'c0.1', 'c0.2'])).rejects.toMatchObject({ code: 'CONFLICT' });
    await submit(['c0.2', 'c0.0']);
    const run = await awaitEnd(engine.client, runId);
    expect(parseJson(run.outputsJson)).toEqual({ o: 'read 3' });
    const read = peers.inference.calls[1]!.body.input.slice(2);
    expect(read.map((message) => message.tool_call_id)).toEqual(['c0.0', 'c0.1', 'c0.2']);
    await checkLog(engine.client, runId);
    expect(await submit(['c0.0', 'c0.2'])).toMatchObject({ accepted: 2 });
  });
});
