import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { parseDelivery, type WebhookAnswer, type WebhookReceiver, waitUntil } from '@tollgate/testkit';
import type { ToolCall } from '../../domain/tool-hooks/tool-call.js';
import type { ToolHookType } from '../../domain/tool-hooks/tool-hook.js';
import { selectToolHookEvents } from '../../store/tool-hook-events.js';
import { markToolHookDeleted } from '../../store/tool-hooks.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { runToolHooks } from './run-tool-hooks.js';
import { type CreateToolHookCommand, createToolHook, updateToolHook } from './tool-hooks.js';

let h: Harness;
let receiver: WebhookReceiver;
let projectId: string;
let paths: number;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
  receiver = await h.startReceiver();
});
afterAll(() => h.stop());
beforeEach(() => {
  projectId = randomUUID();
  paths = 0;
  answers.clear();
  receiver.answerWith((delivery) => answers.get(delivery.path) ?? { body: { action: 'allow' } });
});

/** The answer of each hook, by the path of its URL. */
const answers = new Map<string, WebhookAnswer>();

type Overrides = Partial<CreateToolHookCommand>;

async function hook(hookType: ToolHookType, answer: WebhookAnswer | object, given: Overrides = {}) {
  const path = `/${projectId}/${paths++}`;
  answers.set(path, 'action' in answer || 'result' in answer ? { body: answer } : (answer as WebhookAnswer));
  const toolsAllowlist = hookType === 'tool_execute' ? ['search'] : [];
  const endpointUrl = receiver.url.replace(/\/$/, path);
  const command = { hookType, endpointUrl, failBehavior: '', toolsAllowlist, ...given };
  const { hook: created, signingSecret } = await createToolHook(h.ctx, projectId, command);
  return { id: created.id, path, secret: signingSecret };
}

function newCall(hookType: ToolHookType, given: Partial<ToolCall> = {}): ToolCall {
  const ids = { projectId, endUserId: 'ext-1', requestId: 'r-1', executionId: randomUUID(), toolCallId: 'call_1' };
  const resultJson = hookType === 'post_tool_use' ? '{"ok":true}' : undefined;
  return { ...ids, hookType, toolName: 'search', argumentsJson: '{"q":"a"}', resultJson, ...given };
}
const never = new AbortController().signal;
const run = (call: ToolCall, onlyHookId?: string) => runToolHooks(h.ctx, call, onlyHookId, never);
const askedAt = (path: string) => receiver.deliveries.filter((delivery) => delivery.path === path);
const readEvents = (id: string) => selectToolHookEvents(h.ctx.pool, id, { limit: 10, offset: 0 });

describe('a hook', () => {
  it('receives the call with timestamp and signature', async () => {
    const { path, secret } = await hook('pre_tool_use', { action: 'allow' });
    const call = newCall('pre_tool_use');
    await run(call);
    const [asked] = askedAt(path);
    const { timestamp, ...body } = parseDelivery(asked!);
    expect(body).toEqual({
      hook: 'pre_tool_use',
      request_id: call.requestId,
      idempotency_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      project_id: projectId,
      end_user_id: 'ext-1',
      tool_call: { id: 'call_1', name: 'search', arguments: { q: 'a' } },
    });
    const { headers, rawBody } = asked!;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Tollgate/1.0 (tool hooks)' });
    expect(headers['x-service-timestamp']).toBe(timestamp);
    expect(Math.abs(Date.parse(timestamp as string) - Date.now())).toBeLessThan(60_000);
    await expect(verify(secret, `${timestamp}.${rawBody}`, String(headers['x-service-signature']))).resolves.toBe(true);
  });

  it('gets signatures with a rotated secret at once', async () => {
    const { id, path } = await hook('pre_tool_use', { action: 'allow' });
    const { signingSecret } = await updateToolHook(h.ctx, projectId, id, { rotateSecret: true });
    await run(newCall('pre_tool_use'));
    const { headers, rawBody } = askedAt(path)[0]!;
    const signed = `${headers['x-service-timestamp']}.${rawBody}`;
    await expect(verify(signingSecret!, signed, String(headers['x-service-signature']))).resolves.toBe(true);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['disabled', (id) => updateToolHook(h.ctx, projectId, id, { enabled: false, rotateSecret: false })],
    ['deleted', (id) => markToolHookDeleted(h.ctx.pool, projectId, id, new Date())],
    ['of another type', (id) => updateToolHook(h.ctx, projectId, id, { rotateSecret: false })],
  ])('gets no call when it is %s', async (what, change) => {
    const { id, path } = await hook('pre_tool_use', { action: 'block' });
    await change(id);
    const phase = what === 'of another type' ? 'post_tool_use' : 'pre_tool_use';
    expect(await run(newCall(phase))).toEqual({ kind: 'none' });
    expect(askedAt(path)).toEqual([]);
  });

  it('gets no call of another project or another tool', async () => {
    await hook('pre_tool_use', { action: 'block' }, { toolsAllowlist: ['web_fetch', 'kv.write'] });
    expect(await run(newCall('pre_tool_use'))).toEqual({ kind: 'none' });
    expect(await run(newCall('pre_tool_use', { projectId: randomUUID(), toolName: 'web_fetch' }))).toEqual({
      kind: 'none',
    });
    expect(await run(newCall('pre_tool_use', { toolName: 'kv_write' }))).toMatchObject({ kind: 'block' });
  });
});

describe('hooks of one type', () => {
  it('sends the call to the hooks oldest first, each time as the previous hook changed it', async () => {
    const first = await hook('pre_tool_use', { action: 'modify', tool_call: { arguments: { q: 'b' } } });
    const second = await hook('pre_tool_use', { action: 'modify', tool_call: { name: 'find', arguments: { q: 'c' } } });
    const third = await hook('pre_tool_use', { action: 'allow' });
    const answer = await run(newCall('pre_tool_use'));
    expect(answer).toMatchObject({ kind: 'allow', toolName: 'find', argumentsJson: '{"q":"c"}' });
    const asked = [first, second, third].map(({ path }) => parseDelivery(askedAt(path)[0]!).tool_call);
    expect(asked).toMatchObject([
      { name: 'search', arguments: { q: 'a' } },
      { name: 'search', arguments: { q: 'b' } },
      { name: 'find', arguments: { q: 'c' } },
    ]);
    const order = [first, second, third].map(({ path }) => receiver.deliveries.indexOf(askedAt(path)[0]!));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('skips the hooks after a hook that blocks', async () => {
    const first = await hook('pre_tool_use', { action: 'block', error: 'not today' });
    const second = await hook('pre_tool_use', { action: 'allow' });
    expect(await run(newCall('pre_tool_use'))).toEqual({ kind: 'block', error: 'not today' });
    expect(askedAt(second.path)).toEqual([]);
    expect(await readEvents(first.id)).toMatchObject([{ status: 'blocked', error: 'not today', responseStatus: 200 }]);
  });

  it('skips the hooks after a hook that returned the result', async () => {
    await hook('tool_execute', { action: 'allow', result: { made: 'by hook' } });
    const second = await hook('tool_execute', { action: 'allow', result: 2 });
    expect(await run(newCall('tool_execute'))).toEqual({ kind: 'result', resultJson: '{"made":"by hook"}' });
    expect(askedAt(second.path)).toEqual([]);
  });

  it('shows post_tool_use hooks the result, which they change when allowed', async () => {
    const first = await hook('post_tool_use', { action: 'modify', result: 'masked' }, { allowMutation: true });
    const second = await hook('post_tool_use', { action: 'modify', result: 'forged' });
    expect(await run(newCall('post_tool_use'))).toMatchObject({ kind: 'allow', resultJson: '"masked"' });
    expect(parseDelivery(askedAt(first.path)[0]!).tool_result).toEqual({ ok: true });
    expect(parseDelivery(askedAt(second.path)[0]!).tool_result).toBe('masked');
    expect(await readEvents(second.id)).toMatchObject([
      { status: 'success', error: 'modify ignored: the hook has no allow_mutation' },
    ]);
  });
});

describe('a hook that fails', () => {
  const failures: [string, WebhookAnswer, { status: string; error: string; isRetryable: boolean }][] = [
    ['hangs', { hang: true }, { status: 'timeout', error: 'no complete answer within 150 ms', isRetryable: true }],
    [
      'cuts the connection',
      { cut: true },
      { status: 'error', error: 'the connection broke before the answer was complete', isRetryable: true },
    ],
    [
      'redirects',
      { redirectTo: 'https://example.com/' },
      { status: 'error', error: 'redirects are not followed (status 302)', isRetryable: false },
    ],
    [
      'answers 500',
      { status: 500 },
      { status: 'error', error: 'the hook answered with status 500', isRetryable: false },
    ],
    [
      'answers nonsense',
      { body: 'ok' },
      { status: 'error', error: 'the hook did not answer with a JSON object', isRetryable: false },
    ],
    [
      'answers an unknown action',
      { body: { action: 'shrug' } },
      { status: 'error', error: 'the answer has an unknown action', isRetryable: false },
    ],
    [
      'answers too much',
      { body: JSON.stringify({ action: 'allow', filler: 'x'.repeat(1_048_576) }) },
      { status: 'error', error: 'the answer exceeds 1048576 bytes', isRetryable: false },
    ],
  ];

  it.each(failures)('stops the request when it is fail_closed and %s', async (_, answer, expected) => {
    const { id } = await hook('pre_tool_use', answer, { timeoutMs: expected.status === 'timeout' ? 150 : 30_000 });
    const { status, error, isRetryable } = expected;
    expect(await run(newCall('pre_tool_use'))).toEqual({ kind: 'failed', error, isRetryable });
    expect(await readEvents(id)).toMatchObject([{ status, error }]);
  });

  it.each(failures)('lets the call continue when it is fail_open and %s', async (_, answer, expected) => {
    const timeoutMs = expected.status === 'timeout' ? 150 : 30_000;
    const { id } = await hook('pre_tool_use', answer, { timeoutMs, failBehavior: 'fail_open' });
    const second = await hook('pre_tool_use', { action: 'allow' });
    expect(await run(newCall('pre_tool_use'))).toMatchObject({ kind: 'allow', argumentsJson: '{"q":"a"}' });
    expect(askedAt(second.path)).toHaveLength(1);
    expect(await readEvents(id)).toMatchObject([{ status: expected.status, error: expected.error }]);
  });

  it.each<[ToolHookType, string]>([
    ['pre_tool_use', 'failed'],
    ['tool_execute', 'failed'],
    ['post_tool_use', 'allow'],
  ])('has the default outcome for type %s: %s', async (hookType, kind) => {
    await hook(hookType, { status: 500 });
    expect((await run(newCall(hookType))).kind).toBe(kind);
  });

  it('reports a refused connection as retryable', async () => {
    await hook('pre_tool_use', {}, { endpointUrl: 'http://127.0.0.1:9/' });
    expect(await run(newCall('pre_tool_use'))).toMatchObject({ kind: 'failed', isRetryable: true });
  });

  it('rejects a metadata address before sending a packet', async () => {
    const { id } = await hook('pre_tool_use', {});
    await h.database.pool.query(`UPDATE tool_hooks SET endpoint_url = 'http://169.254.169.254/' WHERE id = $1`, [id]);
    expect(await run(newCall('pre_tool_use'))).toMatchObject({ kind: 'failed', isRetryable: false });
  });

  it('logs an answer with NUL bytes', async () => {
    const server = createServer((_req, res) => res.end(Buffer.from([0x61, 0x00, 0xff, 0x62]))).listen(0, '127.0.0.1');
    await waitUntil(() => server.listening, { what: 'the server' });
    const endpointUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { id } = await hook('pre_tool_use', {}, { endpointUrl });
    await run(newCall('pre_tool_use'));
    expect((await readEvents(id))[0]!.responseBody).toBe('a\uFFFD\uFFFDb');
    server.close();
    server.closeAllConnections();
  });
});

describe('the same phase of the same call again', () => {
  it.each<[ToolHookType, WebhookAnswer | object]>([
    ['pre_tool_use', { action: 'allow' }],
    ['pre_tool_use', { action: 'block', error: 'no' }],
    ['pre_tool_use', { action: 'modify', tool_call: { arguments: { text: 'a\u0000b' } } }],
    ['pre_tool_use', { status: 500 }],
    ['post_tool_use', { status: 500 }],
    ['tool_execute', { action: 'allow', result: { n: 1 } }],
  ])('returns the recorded decision of %s with %j without calling the hook', async (hookType, answer) => {
    const { id, path } = await hook(hookType, answer);
    const call = newCall(hookType);
    const first = await run(call);
    answers.set(path, { body: { action: 'block', error: 'changed my mind' } });
    expect(await run(call)).toEqual(first);
    await markToolHookDeleted(h.ctx.pool, projectId, id, new Date());
    expect(await run(call)).toEqual(first);
    expect(askedAt(path)).toHaveLength(1);
    expect(await readEvents(id)).toHaveLength(1);
  });

  it.each([
    ['no JSON object', '[]'],
    ['an unknown kind', '{"kind":"perhaps"}'],
    ['a missing field', '{"kind":"block"}'],
  ])('refuses to use a decision that is recorded with %s', async (_form, stored) => {
    await hook('pre_tool_use', { action: 'allow' });
    const call = newCall('pre_tool_use');
    await run(call);
    await h.database.pool.query('UPDATE tool_hook_journal SET answer = $1', [stored]);
    await expect(run(call)).rejects.toThrow();
    await h.database.pool.query('DELETE FROM tool_hook_journal');
  });

  it('calls only the remaining hooks after an interruption', async () => {
    const first = await hook('pre_tool_use', { action: 'modify', tool_call: { arguments: { q: 'b' } } });
    const second = await hook('pre_tool_use', { hang: true });
    const call = newCall('pre_tool_use');
    const gone = new AbortController();
    const cut = runToolHooks(h.ctx, call, undefined, gone.signal);
    const outcome = expect(cut).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
    await waitUntil(() => askedAt(second.path).length === 1, { what: 'the second hook being asked' });
    gone.abort();
    await outcome;
    answers.set(second.path, { body: { action: 'allow' } });
    expect(await run(call)).toMatchObject({ kind: 'allow', argumentsJson: '{"q":"b"}' });
    expect([askedAt(first.path).length, askedAt(second.path).length]).toEqual([1, 2]);
    expect(await readEvents(second.id)).toMatchObject([
      { status: 'success' },
      { status: 'error', error: 'the request ended before the hook answered' },
    ]);
  });

  it('calls an unreachable hook again', async () => {
    const { path } = await hook('pre_tool_use', { cut: true });
    const call = newCall('pre_tool_use');
    expect(await run(call)).toMatchObject({ kind: 'failed', isRetryable: true });
    answers.set(path, { body: { action: 'allow' } });
    expect(await run(call)).toMatchObject({ kind: 'allow' });
  });

  it('does not call a skipped hook again', async () => {
    const { path } = await hook('post_tool_use', { cut: true });
    const call = newCall('post_tool_use');
    expect(await run(call)).toMatchObject({ kind: 'allow' });
    answers.set(path, { body: { action: 'block' } });
    expect(await run(call)).toMatchObject({ kind: 'allow' });
    expect(askedAt(path)).toHaveLength(1);
  });

  it('decides again in another turn, even when the client reuses its request id', async () => {
    const { path } = await hook('tool_execute', { action: 'allow', result: 'old' });
    const call = newCall('tool_execute');
    await run(call);
    answers.set(path, { body: { action: 'allow', result: 'new' } });
    expect(await run({ ...call, executionId: randomUUID() })).toEqual({ kind: 'result', resultJson: '"new"' });
  });

  it('decides again when the input differs, whatever ids the client chose', async () => {
    const { path } = await hook('pre_tool_use', { action: 'allow' });
    const call = newCall('pre_tool_use');
    await run(call);
    answers.set(path, { body: { action: 'block', error: 'not this' } });
    expect(await run({ ...call, argumentsJson: '{"q":"evil"}' })).toEqual({ kind: 'block', error: 'not this' });
  });

  it('returns one decision to concurrent calls', async () => {
    let n = 0;
    const { path } = await hook('tool_execute', { action: 'allow' });
    receiver.answerWith(() => ({ delayMs: 30, body: { result: ++n } }));
    const call = newCall('tool_execute');
    const [a, b] = await Promise.all([run(call), run(call)]);
    expect(a).toEqual(b);
    expect(await run(call)).toEqual(a);
    expect(askedAt(path).length).toBeLessThanOrEqual(2);
  });
});
