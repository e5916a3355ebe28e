import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type McpTestServer,
  type McpTestServerOptions,
  type McpTool,
  startMcpServer,
  startWebhookReceiver,
  waitUntil,
} from '@tollgate/testkit';
import { createMcpClient } from '../../clients/mcp-client.js';
import { idempotencyKey } from '../../domain/idempotency-key.js';
import type { McpCall } from '../../domain/mcp/mcp-call.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { callMcpTool } from './call-mcp-tool.js';
import { listMcpTools } from './list-mcp-tools.js';
import { type CreateMcpServerCommand, createMcpServer, updateMcpServer } from './mcp-servers.js';
import { testMcpServer } from './test-mcp-server.js';

const SECRET = 'Bearer mcp-credential-4711';

let h: Harness;
let projectId: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());
beforeEach(() => {
  projectId = randomUUID();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const tool = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  ...more,
});

async function newServer(
  options: Partial<McpTestServerOptions> = {},
  given: Partial<CreateMcpServerCommand> = {},
): Promise<McpTestServer & { id: string }> {
  const server = await startMcpServer({ tools: [tool('echo')], ...options });
  stops.push(server.stop);
  const { id } = await register({ endpointUrl: server.url, ...given });
  return { ...server, id };
}

function register(given: Partial<CreateMcpServerCommand>) {
  const command = { name: 'notes', endpointUrl: '', headers: { Authorization: SECRET }, toolsAllowlist: [], ...given };
  return createMcpServer(h.ctx, projectId, command);
}

const newCall = (given: Partial<McpCall> = {}): McpCall => ({
  projectId,
  server: 'notes',
  toolName: 'mcp__notes__echo',
  argumentsJson: '{"q":"x"}',
  executionId: randomUUID(),
  toolCallId: 'call_1',
  ...given,
});

const signal = new AbortController().signal;
const run = async (call = newCall(), remainingMs = 20_000, ctx: typeof h.ctx = h.ctx) =>
  JSON.parse(await callMcpTool(ctx, call, remainingMs, signal));
const list = async (...names: string[]) => await listMcpTools(h.ctx, projectId, names, 20_000);
/** Makes a claimed call look like that of a process that has died. */
const loseCalls = () => h.database.pool.query(`UPDATE mcp_calls SET claimed_until = now() - interval '1 second'`);

describe('a server of version 2026-07-28', () => {
  it.each([true, false])('gets calls with its credentials (JSON answers: %s)', async (isJson) => {
    const server = await newServer({ authorization: SECRET, isJson, versions: '2026-07-28' });
    expect(await run()).toBe('echo was called');
    expect(server.calls).toEqual([
      {
        name: 'echo',
        arguments: { q: 'x' },
        meta: { 'tollgate/idempotency_key': expect.stringMatching(/^[0-9a-f]{64}$/) },
        authorization: SECRET,
      },
    ]);
  });

  it.each([
    ['2026-07-28', ['server/discover', 'tools/list', 'tools/call', 'tools/call']],
    ['all', ['server/discover', 'tools/list', 'tools/call', 'tools/call']],
    [
      'earlier',
      [
        ...['server/discover', 'initialize', 'notifications/initialized', 'tools/list'],
        ...['initialize', 'notifications/initialized', 'tools/call'],
        ...['initialize', 'notifications/initialized', 'tools/call'],
      ],
    ],
  ] as const)('names its version with its tools only (versions: %s)', async (versions, methods) => {
    const server = await newServer({ versions });
    await run();
    await run();
    expect(server.methods.filter((method) => method !== 'DELETE')).toEqual(methods);
  });

  it('gets calls in its new version after an upgrade', async () => {
    const server = await newServer();
    await run();
    const upgraded = await startMcpServer({ tools: [tool('echo')], versions: '2026-07-28' });
    stops.push(upgraded.stop);
    const move = 'UPDATE mcp_servers SET endpoint_url = $2 WHERE id = $1';
    await h.database.pool.query(move, [server.id, upgraded.url]);
    expect(await run()).toBe('echo was called');
    expect(upgraded.methods).toEqual(['initialize', 'server/discover', 'tools/call']);
  });
});

describe('a call', () => {
  it.each([true, false])('reaches the server with its credentials (JSON answers: %s)', async (isJson) => {
    const server = await newServer({ authorization: SECRET, isJson });
    expect(await run()).toBe('echo was called');
    expect(server.calls).toEqual([
      {
        name: 'echo',
        arguments: { q: 'x' },
        meta: { 'tollgate/idempotency_key': expect.stringMatching(/^[0-9a-f]{64}$/) },
        authorization: SECRET,
      },
    ]);
  });

  it('makes a call once, however often it is repeated', async () => {
    let count = 0;
    const server = await newServer({ answer: () => ({ content: [], structuredContent: { count: ++count } }) });
    const call = newCall();
    expect(await Promise.all([run(call), run(call)])).toEqual([{ count: 1 }, { count: 1 }]);
    await updateMcpServer(h.ctx, projectId, server.id, { enabled: false });
    expect(await run(call)).toEqual({ count: 1 });
    expect(server.calls).toHaveLength(1);
  });

  it('makes a call once although a hook changes its arguments in between', async () => {
    const server = await newServer();
    const call = newCall();
    expect(await run(call)).toBe('echo was called');
    expect(await run({ ...call, argumentsJson: '{"q":"y"}' })).toBe('echo was called');
    expect(server.calls).toHaveLength(1);
  });

  it('has the same idempotency key in every try, and another in another step', async () => {
    const server = await newServer();
    const call = newCall();
    for (const toolCallId of ['call_1', 'call_1.2']) await run({ ...call, toolCallId, callId: 'call_1' });
    await run();
    const keys = server.calls.map(({ meta }) => meta?.['tollgate/idempotency_key']);
    expect(keys).toEqual([idempotencyKey(call), idempotencyKey(call), expect.not.stringMatching(String(keys[0]))]);
  });

  it('makes the same call again in another step', async () => {
    const server = await newServer();
    await run();
    await run();
    expect(server.calls).toHaveLength(2);
  });

  it('repeats a call whose process was lost only if the tool is repeatable', async () => {
    const tools = [tool('echo'), tool('read', { annotations: { readOnlyHint: true } })];
    const server = await newServer({ tools });
    const write = newCall();
    const read = newCall({ toolName: 'mcp__notes__read' });
    for (const call of [write, read]) await run(call);
    await h.database.pool.query('UPDATE mcp_calls SET result = NULL');
    await loseCalls();
    expect(await run(write)).toMatchObject({ error: { message: expect.stringContaining('unknown') } });
    expect(await run(read)).toBe('read was called');
    expect(server.calls.map(({ name }) => name)).toEqual(['echo', 'read', 'read']);
    // The lost outcome is recorded, too.
    expect(await run(write)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } });
  });

  it('leaves a call that a stop of the process interrupts to the rules of lost calls', async () => {
    const tools = [tool('echo'), tool('read', { annotations: { readOnlyHint: true } })];
    let answer = () => new Promise<object>(() => {});
    const server = await newServer({ tools, answer: () => answer() });
    const calls = [newCall(), newCall({ toolName: 'mcp__notes__read' })];
    const mcp = createMcpClient({ allowPrivate: true });
    const interrupted = calls.map((call) => run(call, 20_000, { ...h.ctx, mcp }));
    const rejected = interrupted.map((done) => expect(done).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }));
    await waitUntil(() => server.calls.length === 2, { what: 'the calls' });
    await mcp.stop();
    await Promise.all(rejected);
    answer = () => Promise.resolve({ content: [{ type: 'text', text: 'again' }] });
    expect(await Promise.all(calls.map((call) => run(call)))).toEqual([
      { error: { code: 'PROVIDER_ERROR', message: expect.stringContaining('outcome of the call is unknown') } },
      'again',
    ]);
    expect(server.calls.map(({ name }) => name).sort()).toEqual(['echo', 'read', 'read']);
  });

  it('makes a call later whose listing left no time for it', async () => {
    const server = await newServer();
    await list('notes');
    const call = newCall();
    expect(await run(call, 60)).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } });
    expect(server.calls).toHaveLength(0);
    expect(await run(call)).toBe('echo was called');
  });

  it('does not claim a call whose credentials cannot be opened', async () => {
    await newServer();
    await list('notes');
    const call = newCall();
    const keyring = { ...h.ctx.keyring, keys: new Map() } as typeof h.ctx.keyring;
    await expect(run(call, 20_000, { ...h.ctx, keyring })).rejects.toThrow();
    expect(await run(call)).toBe('echo was called');
  });

  it('records the result when the caller disconnects', async () => {
    let release = () => {};
    const held = new Promise<object>((resolve) => {
      release = () => resolve({ content: [{ type: 'text', text: 'late' }] });
    });
    const server = await newServer({ answer: () => held });
    const caller = new AbortController();
    const call = newCall();
    const first = callMcpTool(h.ctx, call, 20_000, caller.signal);
    await waitUntil(() => server.calls.length > 0, { what: 'the call' });
    caller.abort();
    const second = run(call);
    release();
    expect([JSON.parse(await first), await second]).toEqual(['late', 'late']);
    expect(server.calls).toHaveLength(1);
  });

  it('fails for the model when the server is slow', async () => {
    const server = await newServer({ answer: () => new Promise<object>(() => {}) }, { timeoutMs: 3_000 });
    expect(await run()).toMatchObject({
      error: { code: 'PROVIDER_TIMEOUT', message: expect.stringMatching(/within .* may have run/) },
    });
    expect(server.calls).toHaveLength(1);
  });

  it('ends before the time of its caller', async () => {
    await newServer({ answer: () => new Promise<object>(() => {}) });
    await list('notes');
    expect(await run(newCall(), 600)).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } });
  });

  it('fails for the model when the result is huge', async () => {
    await newServer({ answer: () => ({ content: [{ type: 'text', text: 'x'.repeat(1_200_000) }] }) });
    const { error } = await run();
    expect(error.message).toMatch(/exceeds 1048576 bytes/);
  });

  it('reports an error of the tool', async () => {
    await newServer({ answer: () => ({ content: [{ type: 'text', text: 'no such note' }], isError: true }) });
    expect(await run()).toEqual({ error: { code: 'PROVIDER_ERROR', message: 'no such note' } });
  });

  it('reports a protocol error of the server', async () => {
    await newServer({ answer: () => Promise.reject(new Error('broken inside')) });
    const message = 'the server answered with the JSON-RPC error -32603: broken inside';
    expect(await run()).toEqual({ error: { code: 'PROVIDER_ERROR', message } });
  });

  it.each([
    ['disabled', { enabled: false }],
    ['limited to other tools', { toolsAllowlist: ['other'] }],
  ])('makes no call when the server is %s', async (_state, change) => {
    const server = await newServer();
    await updateMcpServer(h.ctx, projectId, server.id, change);
    expect(await run()).toMatchObject({ error: { code: 'TOOL_UNHANDLED' } });
    expect(server.calls).toHaveLength(0);
  });

  it('does not reach the server of another project', async () => {
    const server = await newServer();
    expect(await run(newCall({ projectId: randomUUID() }))).toMatchObject({ error: { code: 'TOOL_UNHANDLED' } });
    expect(server.methods).toEqual([]);
  });

  it('fails when the server no longer offers the tool', async () => {
    const server = await newServer();
    await list('notes');
    server.options.tools = [tool('other')];
    await updateMcpServer(h.ctx, projectId, server.id, {});
    expect(await run()).toMatchObject({ error: { code: 'TOOL_UNHANDLED' } });
    expect(server.calls).toHaveLength(0);
  });
});

describe('the credentials', () => {
  it('stores credentials sealed, and redacts them when the server echoes them', async () => {
    const answer = ({ authorization = '' }) => ({ content: [{ type: 'text', text: `got "${authorization}"` }] });
    const tools = [tool('echo', { description: `Send ${SECRET.slice(7)} always.` })];
    const server = await newServer({ answer, tools });
    expect(await run()).toBe('got "[redacted]"');
    expect(JSON.stringify(await list('notes'))).toContain('Send [redacted] always.');
    const { rows } = await h.database.pool.query('SELECT * FROM mcp_servers WHERE id = $1', [server.id]);
    expect(rows[0].secret_sealed.includes('4711')).toBe(false);
    const stored = await h.database.pool.query('SELECT result FROM mcp_calls');
    expect(JSON.stringify([rows[0].listing, rows[0].header_names, stored.rows])).not.toContain('4711');
  });

  it('omits the credentials from failures', async () => {
    const server = await newServer({ authorization: 'Bearer other-credential' });
    const { reply } = await testMcpServer(h.ctx, projectId, server.id);
    expect(reply).toMatchObject({ ok: false, status: 401, message: 'the server answered 401' });
    expect(JSON.stringify(await run())).not.toContain('4711');
  });

  it('sends the credentials to no other host', async () => {
    const server = await newServer();
    const other = await startMcpServer({ tools: [tool('echo')] });
    stops.push(other.stop);
    await updateMcpServer(h.ctx, projectId, server.id, { endpointUrl: other.url });
    await run();
    expect(other.calls).toMatchObject([{ authorization: undefined }]);
  });
});

describe('the guard', () => {
  it('refuses private addresses', async () => {
    const server = await newServer();
    const mcp = createMcpClient({ allowPrivate: false });
    stops.push(mcp.stop);
    const { error } = await run(newCall(), 5_000, { ...h.ctx, mcp });
    expect(error.message).toMatch(/may not be called|https/);
    expect(server.methods).toEqual([]);
  });

  it('refuses a name that resolves to a private address', async () => {
    const { port } = new URL((await newServer()).url);
    const lookup = () => Promise.resolve(['127.0.0.1']);
    const mcp = createMcpClient({ allowPrivate: false, names: { lookup } });
    stops.push(mcp.stop);
    const endpoint = { url: `https://mcp.example.com:${port}/mcp`, headers: {}, timeoutMs: 5_000 };
    expect(await mcp.listTools(endpoint)).toMatchObject({ ok: false, message: 'the host may not be called' });
  });

  it('does not follow redirects, on the same host or to another', async () => {
    const receiver = await startWebhookReceiver();
    stops.push(receiver.stop);
    const target = await startMcpServer({ tools: [tool('echo')] });
    stops.push(target.stop);
    for (const [name, redirectTo] of [
      ['same', `${receiver.url}other`],
      ['other', target.url],
    ] as const) {
      receiver.answerWith({ status: 307, redirectTo });
      const { id } = await register({ name, endpointUrl: `${receiver.url}mcp` });
      const { reply } = await testMcpServer(h.ctx, projectId, id);
      expect(reply).toMatchObject({ ok: false, status: 307 });
    }
    expect(target.methods).toEqual([]);
    expect(receiver.deliveries.map(({ path }) => path)).toEqual(['/mcp', '/mcp']);
  });
});
