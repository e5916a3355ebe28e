import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { type McpTest, readMessages, runId, startMcpTest } from '../../../testing/mcp-test.js';

const session = randomUUID();

let harness: McpTest;

beforeAll(async () => {
  harness = await startMcpTest(import.meta.url);
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

const send: McpTest['send'] = (...message) => harness.send(...message);
const rpc = (method: string, params: object = {}, id: string | number = 1) => ({ jsonrpc: '2.0', id, method, params });
const callHelper = (more: object = {}, id?: string | number) =>
  rpc('tools/call', { name: 'helper', arguments: { input: 'hello' }, ...more }, id);

describe('403', () => {
  it('refuses customers of a project that does not offer its agents, and no key', async () => {
    const { projectId, ownerToken, secretKey } = harness.tenant;
    const offer = (isOffered: boolean) =>
      request(harness.app)
        .put(`/api/v1/projects/${projectId}`)
        .set('Authorization', `Bearer ${ownerToken}`)
        .send({ mcp_for_customers: isOffered });
    expect((await offer(false)).body.project.mcp_for_customers).toBe(false);
    for (const body of [rpc('initialize'), rpc('tools/list'), callHelper()]) {
      const { status, body: refusal } = await send(body);
      expect([status, refusal.error.message]).toEqual([403, expect.stringContaining('does not offer its agents')]);
    }
    expect(harness.inputs).toEqual([]);
    expect((await send(rpc('tools/list'), {}, secretKey)).status).toBe(200);
    expect((await send(rpc('tools/list'), {}, harness.stranger.customerToken)).status).toBe(200);
    expect((await offer(true)).status).toBe(200);
    expect((await send(rpc('tools/list'))).status).toBe(200);
  });
});

describe('200', () => {
  it('opens a session and lists tools as JSON', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const opened = await send(rpc('initialize', params));
    expect([opened.status, opened.type]).toEqual([200, 'application/json']);
    expect(opened.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(opened.body.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
    const listed = await send(rpc('tools/list'), { 'Mcp-Session-Id': session });
    expect(listed.headers).not.toHaveProperty('mcp-session-id');
    expect(listed.body.result).toMatchObject({
      tools: [{ name: 'helper', title: 'Helper', description: 'Runs the agent “Helper”.' }, {}],
      nextCursor: Buffer.from('a.b-c').toString('base64url'),
    });
  });

  it('streams progress and result of a call, and resumes broken progress without a repetition', async () => {
    // The start of the run succeeds.
    harness.failures = [undefined, new AppError('SERVICE_UNAVAILABLE', 'restarting')];
    const res = await send(callHelper({ _meta: { progressToken: 'p' } }), { 'Mcp-Session-Id': session });
    expect([res.status, res.type]).toEqual([200, 'text/event-stream']);
    const [progress, result, ...rest] = readMessages(res.text);
    expect(progress.params).toEqual({ progressToken: 'p', progress: 1, message: `run ${runId} started` });
    expect(result.result).toMatchObject({ content: [{ type: 'text', text: 'hi' }], _meta: { run_id: runId } });
    expect(rest).toEqual([]);
  });

  it('answers a call as JSON to a client that accepts no stream', async () => {
    const res = await send(callHelper({ _meta: { progressToken: 1 } }), { Accept: 'application/json' });
    expect([res.type, res.body.result.content]).toEqual(['application/json', [{ type: 'text', text: 'hi' }]]);
  });

  it('gives a request of a session a key of its own, and none to a client without one', async () => {
    await send(callHelper({}, 1), { 'Mcp-Session-Id': session });
    await send(callHelper({}, '1'), { 'Mcp-Session-Id': session });
    await send(callHelper({}, 1));
    expect(harness.keys).toEqual([
      { idempotencyKey: `mcp/${session}/1`, keyUntilEnd: true },
      { idempotencyKey: `mcp/${session}/"1"`, keyUntilEnd: true },
      { idempotencyKey: '', keyUntilEnd: true },
    ]);
  });

  it('refuses an Idempotency-Key, which it would have to ignore', async () => {
    const { status, body } = await send(callHelper({}, 1), { 'Idempotency-Key': 'static' });
    expect([status, body.error.message]).toEqual([400, 'this endpoint takes no Idempotency-Key']);
    expect(harness.keys).toEqual([]);
  });

  it('runs an agent whose slug is no name of a tool by its listed name and by its slug', async () => {
    const { result } = (await send(rpc('tools/list'))).body;
    const name = result.tools[1].name;
    expect(name).toMatch(/^a_b-c_[0-9a-f]{8}$/);
    for (const called of [name, 'a.b-c']) await send(callHelper({ name: called }));
    expect(harness.slugs).toEqual(['a.b-c', 'a.b-c']);
  });

  it("sends the arguments of an agent's declared input as JSON, and rejects others", async () => {
    harness.inputSchemaJson = '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}';
    await send(callHelper({ arguments: { city: 'Bern' } }));
    const [{ result }] = readMessages((await send(callHelper({ arguments: { city: 1 } }))).text);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('must be string') }] });
    expect(harness.inputs).toEqual(['{"city":"Bern"}']);
  });

  it('maps files of the answer to the content types of the protocol', async () => {
    const file = (mime_type: string) => ({ type: 'file', file: { data_base64: 'AAAA', mime_type } });
    const content = ['image/png', 'audio/wav', 'application/pdf'].map(file);
    harness.ended = { outputJson: Buffer.from(JSON.stringify([{ role: 'assistant', content }])) };
    const [{ result }] = readMessages((await send(callHelper())).text);
    expect(result.content.map(({ type }: { type: string }) => type)).toEqual(['image', 'audio', 'resource']);
  });

  it.each([
    ['failed', { code: 'AGENT_LIMIT_REACHED', message: 'max_steps reached' }, /^AGENT_LIMIT_REACHED: max_steps/],
    ['canceled', undefined, /was canceled/],
  ])('returns the end of a run that has %s as an error with its output', async (status, error, text) => {
    harness.ended = { status, error };
    const [{ result }] = readMessages((await send(callHelper())).text);
    expect(result).toMatchObject({ isError: true, content: [{ text: 'hi' }, { text: expect.stringMatching(text) }] });
  });

  it("names the owner's limit to a secret key, but not to a customer", async () => {
    const refusal = new AppError('PROVIDER_ACCOUNT_UNFUNDED', 'the prepaid balance is empty');
    harness.failures = [refusal];
    const toCustomer = (await send(callHelper())).text;
    expect(toCustomer).toContain('SERVICE_UNAVAILABLE');
    expect(toCustomer).not.toMatch(/UNFUNDED|prepaid/);
    harness.failures = [refusal];
    expect((await send(callHelper(), {}, harness.tenant.secretKey)).text).toContain('PROVIDER_ACCOUNT_UNFUNDED');
  });

  it('shows nothing of an unexpected error', async () => {
    harness.failures = [new Error('secret detail')];
    const called = (await send(callHelper())).text;
    harness.failures = [new Error('secret detail')];
    const listed = (await send(rpc('tools/list'))).text;
    expect(called).toContain('INTERNAL_ERROR');
    expect(listed).toContain('INTERNAL_ERROR');
    expect(called + listed).not.toContain('secret detail');
  });

  it.each([
    ['an unknown method', rpc('resources/list'), -32601],
    ['a foreign cursor', rpc('tools/list', { cursor: '!' }), -32602],
  ])('answers %s with an error of JSON-RPC', async (_, message, code) => {
    expect((await send(message)).body.error).toMatchObject({ code });
  });

  it.each(['unknown', 'not a slug'])('answers a call of the tool “%s” with an error of JSON-RPC', async (name) => {
    const [{ error }] = readMessages((await send(callHelper({ name }))).text);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('tools/list') });
  });
});

describe('202', () => {
  it('cancels the run of a request, even if it is stored later', async () => {
    harness.failures = [new AppError('NOT_FOUND', 'run not found')];
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'x' } };
    const res = await send(message, { 'Mcp-Session-Id': session });
    expect([res.status, res.text]).toEqual([202, '']);
    expect(harness.cancels).toEqual([`mcp/${session}/7`, `mcp/${session}/7`]);
  });

  it('ignores the cancellation of a run that has ended, or without a session', async () => {
    harness.failures = [new AppError('CONFLICT', 'the run has already succeeded')];
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await send(message, { 'Mcp-Session-Id': session })).status).toBe(202);
    expect((await send(message)).status).toBe(202);
    expect(harness.cancels).toHaveLength(1);
  });
});

describe('refusals', () => {
  it.each([
    ['a body that is no message', { method: 'ping' }, {}, 400],
    ['another protocol version', rpc('ping'), { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    ['a session of another form', rpc('ping'), { 'Mcp-Session-Id': 'x' }, 404],
  ])('refuses %s', async (_, body, headers: Record<string, string>, status) => {
    expect((await send(body, headers)).status).toBe(status);
  });

  it('refuses publishable keys and sessions of owners', async () => {
    const { publishableKey, ownerToken } = harness.tenant;
    for (const credential of [publishableKey, ownerToken]) {
      expect((await send(rpc('ping'), {}, credential)).status).toBe(403);
    }
    expect((await send(rpc('ping'), {}, 'nonsense')).status).toBe(401);
  });
});
