// Tools of agents that are bound to a tool hook: they run through that hook or fail, never by their name.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, startWebhookReceiver, type WebhookReceiver } from '@tollgate/testkit';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'call tool kv_write' }] }];

/** A tool of the service, which would run by its name without the hook. */
const kvWrite = {
  type: 'function',
  function: {
    name: 'kv_write',
    parameters: {
      type: 'object',
      properties: { key: { const: 'a' }, value: { const: '1' } },
      required: ['key', 'value'],
    },
  },
};

describe('tools bound to a hook', () => {
  const system = useSystem();
  let receiver: WebhookReceiver;
  const project = useProject(system);
  let slugs = 0;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  const hooks = (suffix = '') => `/projects/${project.id}/tool-hooks${suffix}`;

  async function newHook(body: Json = {}): Promise<string> {
    const wanted = { hook_type: 'tool_execute', endpoint_url: receiver.url, tools_allowlist: ['kv_write'], ...body };
    return must(await project.owner.post(hooks(), wanted), 201).hook.id;
  }

  function createAgent(tools: Json[], more: Json = {}) {
    slugs += 1;
    const body = { name: 'Helper', slug: `helper-${slugs}`, model: SANDBOX_MODEL, tools, ...more };
    return project.api.post(`/projects/${project.id}/agents`, body);
  }

  async function run(slug: string): Promise<Json> {
    return must(await project.api.post(`/projects/${project.id}/agents/${slug}/run`, { input }), 200);
  }

  it.each<[string, (id: string) => Promise<unknown>, RegExp]>([
    ['deleted', (id) => project.owner.delete(hooks(`/${id}`)), /deleted/],
    ['disabled', (id) => project.owner.put(hooks(`/${id}`), { enabled: false }), /disabled/],
    ['bound to other tools', (id) => project.owner.put(hooks(`/${id}`), { tools_allowlist: ['x'] }), /allowlist/],
  ])('fails the run with the reason when the hook is %s', async (_state, change, reason) => {
    const id = await newHook();
    const { agent } = must(await createAgent([{ hook_id: id, definition: kvWrite }]), 201);
    receiver.answerWith({ body: { action: 'allow', result: 'by the hook' } });
    expect((await run(agent.agent.slug)).output.at(-1).content[0].text).toContain('by the hook');
    const before = receiver.deliveries.length;
    await change(id);
    const failed = await run(agent.agent.slug);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'TOOL_UNHANDLED' } });
    expect(failed.error.message).toMatch(reason);
    expect(receiver.deliveries.length).toBe(before);
  });

  it.each<[string, object, object]>([
    ['allows the call without a result', { body: { action: 'allow' } }, {}],
    ['changes the call without a result', { body: { action: 'modify', tool_call: { arguments: {} } } }, {}],
    ['fails and is fail_open', { status: 500 }, { fail_behavior: 'fail_open' }],
  ])('fails the run when the hook %s', async (_what, answer, settings) => {
    const id = await newHook(settings);
    const { agent } = must(await createAgent([{ hook_id: id, definition: kvWrite }]), 201);
    receiver.answerWith(answer);
    expect(await run(agent.agent.slug)).toMatchObject({ status: 'failed', error: { code: 'TOOL_UNHANDLED' } });
  });

  it('rejects an agent whose hook cannot run its tools, at creation and update', async () => {
    const { agent } = must(await createAgent([]), 201);
    const update = (tools: Json[]) =>
      project.api.patch(`/projects/${project.id}/agents/${agent.agent.slug}`, { tools });
    const stranger = await system.project();
    const foreign = must(
      await stranger.owner.post(`/projects/${stranger.id}/tool-hooks`, {
        hook_type: 'tool_execute',
        endpoint_url: receiver.url,
        tools_allowlist: ['kv_write'],
      }),
      201,
    ).hook.id;
    for (const [hook_id, definition, reason] of [
      ['77777777-7777-4777-8777-777777777777', kvWrite, /deleted or never existed/],
      [foreign, kvWrite, /deleted or never existed/],
      [await newHook({ hook_type: 'pre_tool_use' }), kvWrite, /pre_tool_use/],
      [await newHook({ enabled: false }), kvWrite, /disabled/],
      [await newHook({ tools_allowlist: ['kv_read'] }), kvWrite, /allowlist/],
      [await newHook({ tools_allowlist: ['web'] }), { type: 'web' }, /provider/],
    ] as const) {
      for (const res of [await createAgent([{ hook_id, definition }]), await update([{ hook_id, definition }])]) {
        expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(res.body.fields).toEqual([{ field: 'tools[0].hook_id', message: expect.stringMatching(reason) }]);
      }
    }
  });

  it('accepts a hook whose allowlist has the tool in the other spelling', async () => {
    const id = await newHook({ tools_allowlist: ['kv.write'] });
    must(await createAgent([{ hook_id: id, definition: kvWrite }]), 201);
  });
});
