// Workflow runs in the whole system: what the public API promises, and a run whose engine crashes several
// times.
import { describe, expect, it } from '@jest/globals';
import { type ApiClient, type Json, waitUntil } from '@tollgate/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const TEXT = '/output/0/content/0/text';

function request(text: string, tools: Json[] = []): Json {
  return {
    model: SANDBOX_MODEL,
    input: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }],
    ...(tools.length > 0 && { tools }),
  };
}

/** A tool whose arguments the sandbox can only write in one way. */
function tool(name: string, args: Record<string, unknown>): Json {
  const properties = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, { const: value }]));
  return {
    type: 'function',
    function: { name, parameters: { type: 'object', properties, required: Object.keys(args) } },
  };
}

async function waitForEnd(api: ApiClient, runId: string, timeoutMs = 30_000): Promise<Json> {
  let run: Json;
  await waitUntil(
    async () => {
      run = must(await api.get(`/runs/${runId}`), 200);
      return ['succeeded', 'failed', 'canceled'].includes(run.status);
    },
    { what: 'the end of the run', timeoutMs },
  );
  return run;
}

async function readLog(api: ApiClient, runId: string): Promise<Json[]> {
  return (await api.ndjson(`/runs/${runId}/events`)).all();
}

describe('runs', () => {
  const system = useSystem();
  const project = useProject(system);

  it('runs tools of the service, switches and fan-outs, and emits events of the published schema', async () => {
    const spec = {
      kind: 'workflow.v1',
      inputs: [{ name: 'words', type: 'array', required: true }],
      nodes: [
        {
          id: 'note',
          type: 'llm.responses',
          input: request('call tool kv_write', [tool('kv_write', { key: 'a/b', value: '1' })]),
        },
        {
          id: 'plan',
          type: 'llm.responses',
          input: request('call tool tasks_write', [tool('tasks_write', { tasks: [] })]),
        },
        {
          id: 'each',
          type: 'map.fanout',
          input: {
            items: { from_input: 'words' },
            item_bindings: [{ to_placeholder: 'word' }],
            subnode: { type: 'llm.responses', input: { request: request('say {{word}}') } },
          },
        },
        {
          id: 'route',
          type: 'route.switch',
          input: { from_input: 'words', cases: [{ route: 'many', op: 'exists', path: '$[1]' }], default: 'few' },
        },
        { id: 'many', type: 'transform.json', input: { from: 'each', pointer: `/results/1${TEXT}` } },
        { id: 'few', type: 'transform.json', input: { from: 'each' } },
      ],
      edges: ['many', 'few'].map((id) => ({
        from: 'route',
        to: id,
        when: { source: 'node_output', op: 'equals', path: '$.route', value: id },
      })),
      outputs: [
        { name: 'second', from: 'many' },
        { name: 'all', from: 'few' },
      ],
    };
    expect(must(await project.api.post('/workflows/lint', spec), 200)).toEqual({ valid: true, issues: [] });
    const { plan_hash } = must(await project.api.post('/workflows/compile', spec), 200);
    const { run_id } = must(await project.api.post('/runs', { plan_hash, input: { words: ['x', 'y'] } }), 200);
    const run = await waitForEnd(project.api, run_id);
    expect([run.status, run.error]).toEqual(['succeeded', undefined]);
    expect(Object.keys(run.outputs)).toEqual(['second']);
    expect(run.nodes.map(({ id, status }: Json) => [id, status])).toEqual([
      ['note', 'succeeded'],
      ['plan', 'succeeded'],
      ['each', 'succeeded'],
      ['each.0', 'succeeded'],
      ['each.1', 'succeeded'],
      ['route', 'succeeded'],
      ['many', 'succeeded'],
      ['few', 'canceled'],
    ]);
    const events = await readLog(project.api, run_id);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const types = events.map((event) => event.type);
    expect(types).toEqual(
      expect.arrayContaining(['node_tool_call', 'node_tool_result', 'kv_updated', 'task_list_updated']),
    );
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const isEvent = ajv.compile(must(await system.anonymous.get('/schemas/run_event.schema.json'), 200));
    for (const event of events) expect([event.type, isEvent(event), isEvent.errors]).toEqual([event.type, true, null]);
    const isSpec = ajv.compile(must(await system.anonymous.get('/schemas/workflow.schema.json'), 200));
    expect(isSpec(spec)).toBe(true);
    expect(isSpec({ ...spec, kind: 'workflow.v0' })).toBe(false);
    const { steps } = must(await project.api.get(`/runs/${run_id}/steps`), 200);
    expect(steps.map(({ node_id, step }: Json) => [node_id, step])).toEqual([
      ['note', 0],
      ['note', 1],
      ['plan', 0],
      ['plan', 1],
      ['each.0', 0],
      ['each.1', 0],
    ]);
    expect(steps[0].tool_results).toMatchObject([{ name: 'kv_write', output: '{"ok":true}' }]);
    expect(must(await project.api.get(`/runs/${run_id}/tasks`), 200)).toEqual({ tasks: [] });
  });

  it('stores key-value pairs in the session, and rejects an unknown session', async () => {
    const { id: session_id } = must(await project.api.post('/sessions', {}), 201);
    const node = {
      id: 'a',
      type: 'llm.responses',
      input: request('call tool kv_write', [tool('kv_write', { key: 'k', value: 'v' })]),
    };
    const spec = { kind: 'workflow.v0', nodes: [node] };
    const { run_id } = must(await project.api.post('/runs', { spec, session_id }), 200);
    expect((await waitForEnd(project.api, run_id)).status).toBe('succeeded');
    const { metadata } = must(await project.api.get(`/sessions/${session_id}`), 200);
    expect(metadata).toEqual({ 'modelrelay.kv': { k: 'v' } });
    const other = await project.api.post('/runs', { spec, session_id: run_id });
    expect([other.status, other.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('appends the answer of a run to its session once', async () => {
    const customer = await project.customerOn('free');
    const { id: session_id } = must(await customer.api.post('/sessions', {}), 201);
    must(await customer.api.post(`/sessions/${session_id}/messages`, { role: 'user', content: 'hello' }), 201);
    const spec = { kind: 'workflow.v0', nodes: [{ id: 'a', type: 'llm.responses', input: request('hello') }] };
    const { run_id } = must(await customer.api.post('/runs', { spec, session_id }), 200);
    const { nodes } = await waitForEnd(customer.api, run_id);
    const text = nodes[0].output.output[0].content[0].text;
    const session = await waitUntil(
      async () => {
        const read = must(await customer.api.get(`/sessions/${session_id}`), 200);
        return read.message_count > 1 && read;
      },
      { what: 'the answer in the session' },
    );
    expect(session.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: text, run_id }]);
  });

  it('reports as cost of a run whose stream breaks what the wallet was charged', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 1_000_000_000n });
    const spec = { kind: 'workflow.v0', nodes: [{ id: 'a', type: 'llm.responses', input: request('fail with cut') }] };
    const { run_id } = must(await customer.api.post('/runs', { spec }), 200);
    const { status, cost_summary } = await waitForEnd(customer.api, run_id);
    expect(status).toBe('failed');
    const { balance_microcents } = must(await customer.api.get('/customers/me/balance'), 200);
    expect(balance_microcents).toBeLessThan(1_000_000_000);
    expect(Math.round(cost_summary.total_usd_cents * 1e6)).toBe(1_000_000_000 - balance_microcents);
  });

  it('reports as cost of a canceled run exactly what the wallet was charged', async () => {
    const customer = await project.customerOn('paygo', { walletMicrocents: 1_000_000_000n });
    const node = { id: 'a', type: 'llm.responses', input: request('say something slow 100 ms') };
    const { run_id } = must(await customer.api.post('/runs', { spec: { kind: 'workflow.v0', nodes: [node] } }), 200);
    await waitUntil(
      async () => {
        const { text } = await customer.api.get(`/runs/${run_id}/events?wait=false`);
        return text.includes('node_output_delta');
      },
      { what: 'the first words' },
    );
    expect(must(await customer.api.post(`/runs/${run_id}/cancel`), 200).status).toBe('canceled');
    await waitUntil(
      async () => {
        const { balance_microcents, reserved_microcents } = must(await customer.api.get('/customers/me/balance'), 200);
        const { cost_summary } = must(await customer.api.get(`/runs/${run_id}`), 200);
        const spent = 1_000_000_000 - balance_microcents;
        return reserved_microcents === 0 && spent > 0 && Math.round(cost_summary.total_usd_cents * 1e6) === spent;
      },
      { what: 'the cost of the run to be what the wallet lost' },
    );
  });
});

describe('a run of fifty nodes with tools of the client', () => {
  const NODES = 50;
  const KILLS = 5;
  const WIDTH = 10;
  const WALLET = 10_000_000_000n;
  // A shorter lease, so that five crashes take little time.
  const system = useSystem({ mode: 'separate processes', env: { WORK_LEASE: '2s', WORK_HEARTBEAT: '600ms' } });

  function spec(): Json {
    const ids = Array.from({ length: NODES }, (_, index) => `n${index}`);
    return {
      kind: 'workflow.v0',
      nodes: ids.map((id) => ({
        id,
        type: 'llm.responses',
        input: {
          request: request(`call tool lookup, wait 150 ms`, [tool('lookup', { node: id })]),
          tool_execution: { mode: 'client' },
        },
      })),
      edges: ids.slice(WIDTH).map((to, index) => ({ from: `n${index}`, to })),
      outputs: ids.map((id) => ({ name: id, from: id, pointer: TEXT })),
    };
  }

  it('finishes after its engine was killed five times; its log has no gap and its customer pays each step once', async () => {
    const project = await system.project();
    const tier = { rate_limit_per_minute: 100_000 };
    const { api } = await project.customerOn('paygo', { walletMicrocents: WALLET, tier });
    const { run_id } = must(await api.post('/runs', { spec: spec() }), 200);
    const client = driveTools(api, run_id);
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = await readHead(api, run_id);
        await waitUntil(async () => (await readHead(api, run_id)) > before, {
          what: 'progress before the kill',
          timeoutMs: 60_000,
        });
        // At any point of the run.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
        await system.kill('workflow-engine');
      }
      const run = await waitForEnd(api, run_id, 120_000);
      expect([run.status, run.error]).toEqual(['succeeded', undefined]);
      expect(Object.keys(run.outputs)).toHaveLength(NODES);
      await expectOneLog(api, run_id);
      await expectExactCost(api, run);
      const { differences } = await project.verify();
      expect(differences).toEqual([]);
    } finally {
      await client.stop();
    }
  }, 600_000);

  /** Answers all waiting calls, as a client that retries while the service is unavailable. */
  function driveTools(api: ApiClient, runId: string) {
    let isStopped = false;
    const answerAll = async (): Promise<void> => {
      const listed = await api.get(`/runs/${runId}/pending-tools`);
      for (const node of listed.body?.pending ?? []) {
        const { node_id, step, request_id, tool_calls } = node;
        const results = tool_calls.map(({ tool_call_id, name, arguments: args }: Json) => ({
          tool_call_id,
          name,
          output: args,
        }));
        const answer = await api.post(`/runs/${runId}/tool-results`, { node_id, step, request_id, results });
        expect([200, 409, 500, 503]).toContain(answer.status);
      }
    };
    const loop = (async () => {
      while (!isStopped) {
        await answerAll().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    return {
      stop: () => {
        isStopped = true;
        return loop;
      },
    };
  }

  async function readHead(api: ApiClient, runId: string): Promise<number> {
    const answer = await api.get(`/runs/${runId}/events?wait=false`);
    return answer.status === 200 ? answer.text.split('\n').filter((line) => line !== '').length : -1;
  }

  /** Read at once, and piece by piece from wherever a reader was: the same bytes, 1..n. */
  async function expectOneLog(api: ApiClient, runId: string): Promise<void> {
    const whole = (await api.get(`/runs/${runId}/events`)).text;
    const lines = whole.split('\n').filter((line) => line !== '');
    const events = lines.map((line) => JSON.parse(line) as Json);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter((event) => event.type.startsWith('run_')).map((event) => event.type)).toEqual([
      'run_compiled',
      'run_started',
      'run_completed',
    ]);
    for (const type of ['node_started', 'node_succeeded']) {
      const nodes = events.filter((event) => event.type === type).map((event) => event.node_id);
      expect([nodes.length, new Set(nodes).size]).toEqual([NODES, NODES]);
    }
    let read = '';
    for (let seq = 0; seq < events.length; seq += 37) {
      read += (await api.get(`/runs/${runId}/events?after_seq=${seq}&limit=37`)).text;
    }
    expect(read).toBe(whole);
  }

  async function expectExactCost(api: ApiClient, run: Json): Promise<void> {
    const { total_usd_cents, line_items } = run.cost_summary;
    expect(line_items.map(({ requests }: Json) => requests)).toEqual(Array(NODES).fill(2));
    const { balance_microcents } = must(await api.get('/customers/me/balance'), 200);
    expect(Math.round(total_usd_cents * 1e6)).toBe(Number(WALLET) - balance_microcents);
  }
});
