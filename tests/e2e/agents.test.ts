// Agents in the whole system: run, tested, replayed, scheduled and in workflows, as an owner and as a customer.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiClient,
  type Json,
  parseDelivery,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
} from '@tollgate/testkit';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const TEXT = '/output/0/content/0/text';

/** Price of the harness's tiers per token of the sandbox's model. */
const PRICE = { input: 100, output: 300 };

const says = (text: string) => [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }];
const readText = (result: Json): string => result.output.at(-1).content[0].text;

/** A function tool whose arguments the sandbox can only write in one way. */
function definition(name: string, args: Record<string, unknown> = {}): Json {
  const properties = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, { const: value }]));
  return {
    definition: {
      type: 'function',
      function: { name, parameters: { type: 'object', properties, required: Object.keys(args) } },
    },
  };
}

const echoFragment = {
  kind: 'workflow.v1',
  inputs: [{ name: 'topic', type: 'string', required: true }],
  nodes: [
    {
      id: 'ask',
      type: 'llm.responses',
      input: {
        request: { model: SANDBOX_MODEL, input: says('about {{t}}') },
        bindings: [{ from_input: 'topic', to_placeholder: 't' }],
      },
    },
  ],
  outputs: [{ name: 'said', from: 'ask', pointer: TEXT }],
};

describe('agents', () => {
  // Other engines notice a crashed engine soon.
  const system = useSystem({ mode: 'separate processes', env: { WORK_LEASE: '3s', WORK_HEARTBEAT: '1s' } });
  let receiver: WebhookReceiver;
  const project = useProject(system);
  let names = 0;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  async function agent(config: Json = {}, of = project): Promise<string> {
    names += 1;
    const body = { name: 'Helper', slug: `helper-${names}`, model: SANDBOX_MODEL, ...config };
    must(await of.api.post(`/projects/${of.id}/agents`, body), 201);
    return body.slug;
  }

  const ask = (api: ApiClient, slug: string, verb: string, body: Json) =>
    api.post(`/projects/${project.id}/agents/${slug}/${verb}`, body);
  const run = async (slug: string, body: Json, api = project.api) => must(await ask(api, slug, 'run', body), 200);

  it('answers a run, charges it exactly and returns it like any other run', async () => {
    const slug = await agent({ system: 'Be brief.', tools: [definition('kv_write', { key: 'a', value: '1' })] });
    const customer = await project.customerOn('free');
    const result = await run(slug, { input: says('call tool kv_write') }, customer.api);
    expect(readText(result)).toBe('kv_write returned: {"ok":true}');
    expect(result).toMatchObject({
      status: 'succeeded',
      steps: [],
      usage: { total_steps: 2, total_llm_calls: 2, total_tool_calls: 1 },
    });
    const { total_input_tokens: input, total_output_tokens: output, total_cost_microcents: cost } = result.usage;
    expect(cost).toBe(input * PRICE.input + output * PRICE.output);
    expect(result.usage.total_cost_cents).toBe(Math.round(cost / 1_000_000));
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage).toMatchObject({ requests: 2, total_cost_microcents: cost });
    const snapshot = must(await customer.api.get(`/runs/${result.run_id}`), 200);
    expect(snapshot).toMatchObject({
      status: 'succeeded',
      name: slug,
      cost_summary: { total_usd_cents: cost / 1_000_000 },
    });
    const { steps } = must(await project.api.get(`/runs/${result.run_id}/steps`), 200);
    expect(steps[0].llm_request.input[0].content[0].text).toBe('Be brief.');
    const shown = must(await customer.api.get(`/runs/${result.run_id}/steps`), 200).steps;
    expect(JSON.stringify(shown)).not.toContain('Be brief.');
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  });

  it('includes the memory of the first run in the prompt of the second', async () => {
    const slug = await agent({
      system: 'Be brief.',
      tools: [definition('memory_write', { content: 'The user is Ada.' })],
    });
    expect(readText(await run(slug, { input: says('call tool memory_write') }))).toBe(
      'memory_write returned: {"ok":true}',
    );
    const second = await run(slug, { input: says('hi'), options: { capture_tool_io: true } });
    expect(second.steps).toHaveLength(1);
    expect(second.steps[0].llm_request.input[0]).toEqual({
      type: 'message',
      role: 'system',
      content: [{ type: 'text', text: '## Agent Memory\n\nThe user is Ada.\n\n---\n\nBe brief.' }],
    });
  });

  it('attributes a run with a secret key to the customer named by header or customer_id', async () => {
    const slug = await agent();
    const customer = await project.customerOn('free');
    const spent = async () => must(await customer.api.get('/customers/me/usage'), 200).usage.requests;
    await run(slug, { input: says('hi'), customer_id: customer.externalId });
    expect(await spent()).toBe(1);
    const path = `/projects/${project.id}/agents/${slug}/run`;
    const headers = { 'X-Service-Customer-Id': customer.id };
    must(await project.api.post(path, { input: says('hi') }, headers), 200);
    expect(await spent()).toBe(2);
    await run(slug, { input: says('hi') });
    expect(await spent()).toBe(2);
    const unknown = await ask(project.api, slug, 'run', { input: says('hi'), customer_id: 'nobody' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('refuses a customer that cannot pay with 402 on each attempt under one Idempotency-Key', async () => {
    const slug = await agent();
    const poor = await project.customerOn('paygo');
    const path = `/projects/${project.id}/agents/${slug}/run`;
    const headers = { 'Idempotency-Key': `poor-${names}` };
    const once = () => poor.api.post(path, { input: says('hi') }, headers);
    const refused = await once();
    expect([refused.status, refused.body.code]).toEqual([402, 'WALLET_EMPTY']);
    expect([(await once()).status, (await once()).body.code]).toEqual([402, 'WALLET_EMPTY']);
  });

  it('returns the same run for the same Idempotency-Key and 409 for another body', async () => {
    const slug = await agent();
    const path = `/projects/${project.id}/agents/${slug}/run`;
    const headers = { 'Idempotency-Key': `same-${names}` };
    const body = { input: says('hi') };
    const both = await Promise.all([project.api.post(path, body, headers), project.api.post(path, body, headers)]);
    expect(must(both[0], 200)).toEqual(must(both[1], 200));
    const other = await project.api.post(path, { input: says('ho') }, headers);
    expect([other.status, other.body.code]).toEqual([409, 'CONFLICT']);
  });

  it('streams the events of a run as NDJSON or SSE, equal to the stored events', async () => {
    const slug = await agent({ tools: [definition('kv_list')] });
    const path = `/projects/${project.id}/agents/${slug}/run`;
    const body = { input: says('call tool kv_list'), options: { stream: true } };
    const events = await (await project.api.ndjson(path, body)).all();
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run_started', 'node_llm_call', 'node_tool_call', 'node_tool_result', 'run_completed']),
    );
    expect(events.at(-1)).toMatchObject({ type: 'run_completed', outputs: { output: [{ role: 'assistant' }] } });
    const stored = await (await project.api.ndjson(`/runs/${events[0]!.run_id}/events`)).all();
    expect(stored).toEqual(events);
    const sse = await (await project.api.sse(path, body)).all();
    expect(JSON.stringify(sse)).toContain('run_completed');
  });

  it.each<[string, Json, Json]>([
    ['max_steps', { max_steps: 1 }, says('call tool kv_list')],
    ['max_duration_sec', { max_duration_sec: 1 }, says('wait 5000 ms')],
    ['step_timeout_sec', { step_timeout_sec: 1 }, says('wait 5000 ms')],
  ])('returns 200 with a failed run and its partial output when %s is reached', async (name, options, input) => {
    const slug = await agent({ tools: [definition('kv_list')] });
    const answer = await ask(project.api, slug, 'run', { input, options });
    if (name === 'max_steps') {
      expect(must(answer, 200)).toMatchObject({
        status: 'failed',
        error: { code: 'AGENT_LIMIT_REACHED' },
        usage: { total_steps: 1 },
      });
      expect(answer.body.output[0].tool_calls).toHaveLength(1);
    } else {
      // There is no output: the result only names the limit.
      expect(must(answer, 200)).toMatchObject({ status: 'failed', error: { code: 'AGENT_LIMIT_REACHED' }, output: [] });
    }
    expect(await project.verify()).toMatchObject({ differences: [] });
  });

  it('executes a tool through the hook of its agent, but calls no hook for a mocked call', async () => {
    const { hook } = must(
      await project.owner.post(`/projects/${project.id}/tool-hooks`, {
        hook_type: 'tool_execute',
        endpoint_url: receiver.url,
        tools_allowlist: ['crm_find'],
      }),
      201,
    );
    const slug = await agent({ tools: [{ hook_id: hook.id, ...definition('crm_find', { q: 'Ada' }) }] });
    receiver.answerWith({ body: { action: 'allow', result: { name: 'Ada' } } });
    const result = await run(slug, { input: says('call tool crm_find') });
    expect(readText(result)).toBe('crm_find returned: {"name":"Ada"}');
    expect(parseDelivery(receiver.deliveries.at(-1)!)).toMatchObject({
      tool_call: { name: 'crm_find', arguments: { q: 'Ada' } },
    });
    // A mocked call runs no hook.
    const before = receiver.deliveries.length;
    const tested = must(
      await ask(project.api, slug, 'test', { input: says('call tool crm_find'), mock_tools: { crm_find: 'mocked' } }),
      200,
    );
    expect([readText(tested), receiver.deliveries.length]).toEqual(['crm_find returned: mocked', before]);
  });

  it('runs the nodes of a fragment tool inside the agent’s run', async () => {
    const slug = await agent({
      tools: [{ fragment: { ref: 'about', inputs: { topic: '/topic' } } }],
      fragments: { about: echoFragment },
    });
    const result = await run(slug, { input: says('call tool about') });
    expect(readText(result)).toMatch(/^about returned: \{"said":"Echo: about /);
    expect(result.usage).toMatchObject({ total_steps: 2, total_llm_calls: 3, total_tool_calls: 1 });
    const { nodes } = must(await project.api.get(`/runs/${result.run_id}`), 200);
    expect(nodes.map(({ type }: Json) => type)).toEqual(['agent.run', 'fragment', 'llm.responses']);
  });

  it.each([
    ['a list', { lookup: ['one', 'two'] }, 'lookup returned: one', { lookup: 1 }],
    ['by id', { lookup: { x: 'X', y: 'Y' } }, 'lookup returned: X', { lookup: 1 }],
    ['a value', { lookup: { n: 1 } }, 'lookup returned: {"n":1}', {}],
  ])('answers the tools of a test with mocks: %s', async (_form, mock_tools, text, unconsumed) => {
    const slug = await agent({ tools: [definition('lookup', { id: 'x' })] });
    const tested = must(await ask(project.api, slug, 'test', { input: says('call tool lookup'), mock_tools }), 200);
    expect([readText(tested), tested.mocks]).toEqual([text, { served: { lookup: 1 }, unconsumed, unmocked: {} }]);
  });

  it('rejects a dry run that calls a tool without a mock, naming the tool', async () => {
    const slug = await agent({ tools: [definition('lookup'), definition('kv_list')] });
    for (const [verb, tool] of [
      ['test', 'lookup'],
      ['run', 'kv_list'],
    ] as const) {
      const refused = await ask(project.api, slug, verb, {
        input: says(`call tool ${tool}`),
        options: { dry_run: true },
      });
      expect([refused.status, refused.body.code]).toEqual([400, 'TOOL_NOT_MOCKED']);
      expect(refused.body.message).toContain(tool);
    }
  });

  it('replays with the same bytes, without provider calls and free of charge', async () => {
    const slug = await agent({
      tools: [definition('kv_list'), { fragment: { ref: 'about' } }],
      fragments: { about: echoFragment },
    });
    const customer = await project.customerOn('free');
    const source = await run(slug, { input: says('call tool about') }, customer.api);
    const before = must(await project.owner.get('/account/usage'), 200);
    const replayed = must(await ask(project.api, slug, 'replay', { run_id: source.run_id }), 200);
    expect(JSON.stringify(replayed.output)).toBe(JSON.stringify(source.output));
    expect(source.usage.total_cost_microcents).toBeGreaterThan(0);
    expect(replayed.usage).toEqual({ ...source.usage, total_cost_cents: 0, total_cost_microcents: 0 });
    expect(must(await project.owner.get('/account/usage'), 200)).toEqual(before);
    expect(replayed.run_id).not.toBe(source.run_id);
  });

  it('returns the same result for each replay of the same input without a run', async () => {
    const slug = await agent({ tools: [definition('lookup')] });
    const body = { input: says('call tool lookup'), mock_tools: { lookup: [{ a: 1 }] } };
    const [one, two] = [await ask(project.api, slug, 'replay', body), await ask(project.api, slug, 'replay', body)];
    const { run_id: _one, ...first } = must(one, 200);
    const { run_id: _two, ...second } = must(two, 200);
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  });

  it('pins the agents of a workflow to their revisions, even after the slug is deleted', async () => {
    const slug = await agent({ system: 'one' });
    must(await project.api.patch(`/projects/${project.id}/agents/${slug}`, { system: 'two' }), 200);
    const spec = (reference: string) => ({
      kind: 'workflow.v0',
      nodes: [{ id: 'a', type: 'agent.run', agent: reference, input: says('hi') }],
      outputs: [{ name: 'said', from: 'a', pointer: TEXT }],
    });
    const compile = async (reference: string) =>
      must(await project.api.post('/workflows/compile', spec(reference)), 200).plan_hash;
    const [current, first, second] = [await compile(slug), await compile(`${slug}@1`), await compile(`${slug}@2`)];
    expect([current === second, current === first]).toEqual([true, false]);
    for (const reference of [`${slug}@3`, 'nobody']) {
      const refused = await project.api.post('/runs', { spec: spec(reference) });
      expect([refused.status, refused.body.issues]).toEqual([
        400,
        [{ code: 'UNKNOWN_AGENT', path: '/nodes/0/agent', message: `no agent ${reference}` }],
      ]);
    }
    must(await project.api.delete(`/projects/${project.id}/agents/${slug}`), 204);
    const { run_id } = must(await project.api.post('/runs', { plan_hash: first }), 200);
    const events = await (await project.api.ndjson(`/runs/${run_id}/events`)).all();
    expect(events.at(-1)).toMatchObject({ type: 'run_completed', outputs: { said: 'Echo: hi' } });
  });

  it('runs the agents of a scheduler until scheduler_done or a limit of its policy', async () => {
    const [writer, boss] = [await agent({ system: 'writer' }), await agent({ system: 'boss' })];
    const scheduler = (words: string, policy: Json) => ({
      kind: 'workflow.v0',
      nodes: [
        {
          id: 's',
          type: 'agent.scheduler',
          agents: [{ agent: `${writer}@1`, count: 2, input: says('write a line') }],
          coordinator: { agent: `${boss}@1`, input: says(words) },
          policy,
        },
      ],
      outputs: [{ name: 'reason', from: 's', pointer: '/reason' }],
    });
    for (const [words, policy, reason, rounds] of [
      ['call tool scheduler_done', {}, 'done', 1],
      ['continue', { max_rounds: 2 }, 'max_rounds', 2],
      ['continue', { max_steps: 4 }, 'max_steps', 2],
      ['slow 400 ms', { timeout_ms: 300 }, 'timeout', 1],
    ] as const) {
      const { run_id } = must(await project.api.post('/runs', { spec: scheduler(words, policy) }), 200);
      const events = await (await project.api.ndjson(`/runs/${run_id}/events`)).all();
      const told = events.filter(({ type }) => type.startsWith('scheduler_'));
      expect(told[0]).toMatchObject({ type: 'scheduler_started', node_id: 's' });
      expect(told.filter(({ type }) => type === 'scheduler_round_started').map(({ round }) => round)).toEqual(
        Array.from({ length: rounds }, (_, index) => index + 1),
      );
      expect(told.at(-1)).toMatchObject({ type: 'scheduler_stopped', reason });
      expect(events.at(-1)).toMatchObject({ type: 'run_completed', outputs: { reason } });
    }
    expect(await project.verify()).toMatchObject({ differences: [] });
  });

  it('completes and is charged once although its engine is killed during the run', async () => {
    const slug = await agent({ tools: [definition('kv_list')] });
    const customer = await project.customerOn('free');
    const answering = run(slug, { input: says('call tool kv_list wait 800 ms') }, customer.api);
    const dispatched =
      'SELECT 1 FROM workflow_engine.run_steps s JOIN workflow_engine.runs r USING (run_id) WHERE r.customer_id = $1';
    await waitUntil(async () => (await system.query(dispatched, [customer.id])).length > 0, { what: 'a step' });
    await system.kill('workflow-engine');
    const result = await answering;
    expect(result).toMatchObject({ status: 'succeeded', usage: { total_steps: 2, total_tool_calls: 1 } });
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBe(result.usage.total_cost_microcents);
    await waitUntil(async () => (await project.verify()).open_holds === 0, {
      what: 'no open hold',
      timeoutMs: 60_000,
    });
    expect(await project.verify()).toMatchObject({ differences: [] });
  }, 180_000);

  it('returns 404 to other projects', async () => {
    const slug = await agent();
    const stranger = await system.project();
    for (const verb of ['run', 'test', 'replay']) {
      const foreign = await ask(stranger.api, slug, verb, { input: says('hi') });
      expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
