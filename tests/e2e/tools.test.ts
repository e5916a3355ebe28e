// Server-side tools in the whole system: what they store, how hooks change them, and what a turn with them costs.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@tollgate/runtime/free-port';
import {
  type ApiClient,
  type Json,
  parseDelivery,
  startWebhookReceiver,
  type WebhookAnswer,
  type WebhookReceiver,
} from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type TestProject } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

/** Price of the harness's tiers per token of the sandbox's model. */
const PRICE = { input: 100, output: 300 };

const ID = 'a0000000-0000-4000-8000-000000000001';

/** A tool whose arguments the sandbox can only write in one way. */
function tool(name: string, args: Record<string, unknown>): Json {
  const properties = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, { const: value }]));
  const parameters = { type: 'object', properties, required: Object.keys(args) };
  return { type: 'function', function: { name, parameters } };
}

function calling(name: string, args: Record<string, unknown>, more: Json = {}): Json {
  return {
    model: SANDBOX_MODEL,
    input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: `call tool ${name}` }] }],
    tools: [tool(name, args)],
    ...more,
  };
}

async function runTool(api: ApiClient, name: string, args: Record<string, unknown>, more: Json = {}): Promise<Json> {
  const answer = must(await api.post('/responses', calling(name, args, more)), 200);
  expect(answer.stop_reason).toBe('stop');
  expect(answer.tool_results).toHaveLength(1);
  return answer.tool_results[0].output;
}

describe('tools of the service', () => {
  const system = useSystem();
  let receiver: WebhookReceiver;
  const project = useProject(system);

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  it('keeps pairs and tasks in a state handle across requests, for its customer alone', async () => {
    const { api } = await project.customerOn('free');
    const { id: state_id } = must(await api.post('/state-handles', {}), 201);
    const kept = { state_id };
    expect(await runTool(api, 'kv.write', { key: 'user/name', value: 'Ada' }, kept)).toEqual({ ok: true });
    expect(await runTool(api, 'kv_read', { key: 'user/name' }, kept)).toEqual({ found: true, value: 'Ada' });
    expect(await runTool(api, 'kv.list', {}, kept)).toEqual({ keys: ['user/name'] });
    const tasks = [{ content: 'greet', status: 'pending' }];
    expect(await runTool(api, 'tasks_write', { tasks }, kept)).toEqual({ ok: true });
    expect(await runTool(api, 'kv_list', {})).toEqual({ keys: [] });
    const other = await project.customerOn('free');
    const foreign = await other.api.post('/responses', calling('kv_list', {}, kept));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    must(await api.delete(`/state-handles/${state_id}`), 204);
    const gone = await api.post('/responses', calling('kv_list', {}, kept));
    expect([gone.status, gone.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('keeps pairs in the metadata of a session until it is deleted', async () => {
    const { id: session_id } = must(await project.api.post('/sessions', { metadata: { mine: 1 } }), 201);
    await runTool(project.api, 'kv_write', { key: 'a', value: '1' }, { session_id });
    expect(await runTool(project.api, 'kv_read', { key: 'a' }, { session_id })).toEqual({ found: true, value: '1' });
    const { metadata } = must(await project.api.get(`/sessions/${session_id}`), 200);
    expect(metadata).toMatchObject({ mine: 1, 'modelrelay.kv': { a: '1' } });
    must(await project.api.delete(`/sessions/${session_id}`), 204);
    const gone = await project.api.post('/responses', calling('kv_list', {}, { session_id }));
    expect([gone.status, gone.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each<[Json, string]>([
    [{ state_id: 'x' }, 'state_id'],
    [{ session_id: 'x' }, 'session_id'],
    [{ state_id: ID, session_id: ID }, 'session_id'],
    [{ tool_choice: { type: 'required', function: 'nobody' } }, 'tool_choice.function'],
    [{ tool_choice: { type: 'required' }, tools: [] }, 'tool_choice'],
    [{ tools: [tool('kv.write', {}), tool('kv_write', {})] }, 'tools[1].function.name'],
    [{ tools: [{ type: 'image_generation' }] }, 'tools[0].image_generation'],
  ])('rejects %j with 400, naming %s', async (more, field) => {
    const answer = await project.api.post('/responses', calling('kv_list', {}, more));
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.fields.map(({ field: named }: Json) => named)).toContain(field);
  });

  it('streams each call and its result, in the spelling of its client', async () => {
    const body = calling('kv.write', { key: 'a', value: '1' });
    const events = await (await project.api.ndjson('/responses', body)).all();
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['start', 'tool_use_start', 'tool_use_delta', 'tool_use_stop', 'update', 'completion']),
    );
    const [stop, ...more] = events.filter(({ type }) => type === 'tool_use_stop');
    expect(more).toEqual([]);
    expect(stop).toMatchObject({
      tool_calls: [{ function: { name: 'kv.write', arguments: '{"key":"a","value":"1"}' } }],
      tool_result: { name: 'kv.write', output: { ok: true } },
    });
    expect(events.at(-1)).toMatchObject({ type: 'completion', content: expect.stringContaining('{"ok":true}') });
  });

  it('refuses private addresses in web_fetch', async () => {
    for (const url of [`${system.baseUrl}/models`, 'https://127.0.0.1/', 'https://169.254.169.254/latest/']) {
      const output = await runTool(project.api, 'web_fetch', { url });
      expect(output).toMatchObject({ error: { code: 'WEB_FETCH_FAILED' } });
    }
  });

  it('charges a turn of two model calls exactly once, without differences in the ledger', async () => {
    const customer = await project.customerOn('free');
    const answer = must(await customer.api.post('/responses', calling('kv_write', { key: 'a', value: '1' })), 200);
    const { input_tokens: input, output_tokens: output } = answer.usage;
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage).toMatchObject({
      requests: 1,
      tokens: input + output,
      total_cost_microcents: input * PRICE.input + output * PRICE.output,
    });
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, unreconciled_microcents: 0 });
  });

  it('refuses the second call when the wallet covers only the first, and charges the first', async () => {
    const asked = calling('kv_read', { key: 'a' }, { max_output_tokens: 200 });
    const rich = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
    const whole = must(await rich.api.post('/responses', asked), 200);
    const poor = await project.customerOn('paygo', {
      // The hold of the first call: at most its input and all the requested output.
      walletMicrocents: BigInt(Math.floor(whole.usage.input_tokens / 2) * PRICE.input + 200 * PRICE.output),
    });
    const refused = await poor.api.post('/responses', asked);
    expect([refused.status, refused.body.code]).toEqual([402, 'WALLET_EMPTY']);
    const balance = must(await poor.api.get('/customers/me/balance'), 200);
    expect(balance.reserved_microcents).toBe(0);
    const { usage } = must(await poor.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBeGreaterThan(0);
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  });

  it('charges an image of the image tool separately', async () => {
    const image = { type: 'image_generation', image_generation: { model: 'sandbox/image-1' } };
    const body = { ...calling('image_generation', {}), tools: [image] };
    const answer = must(await project.api.post('/responses', body), 200);
    expect(answer.tool_results[0]).toMatchObject({
      name: 'image_generation',
      output: { model: 'sandbox/image-1', data: [{ mime_type: 'image/png' }], usage: { images: 1 } },
    });
    const { usage } = must(await project.owner.get('/account/usage?group_by=model'), 200);
    const images = { group: 'sandbox/image-1', requests: 1, images: 1, provider_microcents: 4_000_000 };
    expect(usage).toContainEqual(expect.objectContaining(images));
    expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0 });
  });

  describe('hooks', () => {
    async function withHook(type: string, more: Json, act: (owned: TestProject) => Promise<void>): Promise<void> {
      const owned = await system.project();
      const body = { hook_type: type, endpoint_url: receiver.url, ...more };
      must(await owned.owner.post(`/projects/${owned.id}/tool-hooks`, body), 201);
      await act(owned);
    }

    it('blocks a tool through a pre-hook: the model gets the reason and the request continues', async () => {
      await withHook('pre_tool_use', {}, async ({ api }) => {
        receiver.answerWith({ body: { action: 'block', error: 'not today' } });
        expect(await runTool(api, 'kv_write', { key: 'a', value: '1' })).toMatchObject({
          error: { message: expect.stringContaining('not today') },
        });
        expect(parseDelivery(receiver.deliveries.at(-1)!)).toMatchObject({
          hook: 'pre_tool_use',
          tool_call: { name: 'kv_write', arguments: { key: 'a', value: '1' } },
        });
      });
    });

    it('applies the arguments of a pre_tool_use hook and validates them again', async () => {
      await withHook('pre_tool_use', {}, async ({ api }) => {
        const change = (args: Json) => ({
          body: { action: 'modify', tool_call: { name: 'kv_read', arguments: args } },
        });
        receiver.answerWith(change({ key: 'a' }));
        const read = { tools: [{ type: 'function', function: { name: 'kv_read' } }] };
        expect(await runTool(api, 'kv_read', {}, read)).toEqual({ found: false });
        receiver.answerWith(change({ key: 7 }));
        expect(await runTool(api, 'kv_read', {}, read)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
        receiver.answerWith(change({ key: 'b' }));
        expect(await runTool(api, 'kv_read', { key: 'a' })).toMatchObject({ error: { code: 'INVALID_INPUT' } });
      });
    });

    it('runs a client’s tool with tool_execute and changes a result with post_tool_use', async () => {
      await withHook('tool_execute', { tools_allowlist: ['shop_search'] }, async ({ api }) => {
        receiver.answerWith({ body: { action: 'allow', result: { shoes: 2 } } });
        expect(await runTool(api, 'shop_search', { q: 'shoe' })).toEqual({ shoes: 2 });
      });
      await withHook('post_tool_use', { allow_mutation: true }, async ({ api }) => {
        receiver.answerWith({ body: { action: 'modify', result: { mine: true } } });
        expect(await runTool(api, 'kv_list', {})).toEqual({ mine: true });
      });
    });

    it.each<[string, () => Promise<string>, boolean]>([
      ['answers with an error', () => answering({ status: 500 }), false],
      ['answers nonsense', () => answering({ body: 'nonsense' }), false],
      ['does not know the action that it asks for', () => answering({ body: { action: 'dance' } }), false],
      ['sends elsewhere', () => answering({ redirectTo: 'https://example.org/' }), false],
      ['cannot be reached', async () => `http://127.0.0.1:${await freePort()}/`, true],
    ])('stops the request when a fail-closed hook %s', async (_, endpoint, retryable) => {
      const endpoint_url = await endpoint();
      await withHook('pre_tool_use', { endpoint_url }, async ({ api, verify, ...owned }) => {
        const failed = await api.post('/responses', calling('kv_list', {}));
        expect([failed.status, failed.body.code, failed.body.retryable]).toEqual([503, 'HOOK_FAILED', retryable]);
        const events = await (await api.ndjson('/responses', calling('kv_list', {}))).all();
        expect(events.at(-1)).toMatchObject({ type: 'error', code: 'HOOK_FAILED', status: 503, retryable });
        expect(await readLog(owned)).toMatchObject([{ status: 'error' }, { status: 'error' }]);
        expect(await verify()).toMatchObject({ differences: [], open_holds: 0 });
      });
    });

    it('skips an unreachable fail-open hook and logs the skip', async () => {
      const endpoint_url = `http://127.0.0.1:${await freePort()}/`;
      await withHook('pre_tool_use', { endpoint_url, fail_behavior: 'fail_open' }, async ({ api, ...owned }) => {
        expect(await runTool(api, 'kv_write', { key: 'a', value: '1' })).toEqual({ ok: true });
        expect(await readLog(owned)).toMatchObject([{ status: 'error', error: expect.any(String) }]);
      });
    });

    async function answering(answer: WebhookAnswer): Promise<string> {
      receiver.answerWith(answer);
      return receiver.url;
    }

    /** Events of a project's only hook, newest first. */
    async function readLog({ id, owner }: Pick<TestProject, 'id' | 'owner'>): Promise<Json[]> {
      const path = `/projects/${id}/tool-hooks`;
      const { hooks } = must(await owner.get(path), 200);
      return must(await owner.get(`${path}/${hooks[0].id}/events`), 200).events;
    }
  });
});
