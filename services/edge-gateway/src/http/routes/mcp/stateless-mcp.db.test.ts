// Version 2026-07-28 of the protocol: no session, and everything about a request in the request.

import { randomUUID } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { type McpTest, readMessages, runId, startMcpTest } from '../../../testing/mcp-test.js';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': { name: 'tollgate', version: '1' } };

let harness: McpTest;

beforeAll(async () => {
  harness = await startMcpTest(import.meta.url);
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

type Params = Record<string, unknown> & { name?: string; _meta?: object };

const message = (method: string, { _meta, ...params }: Params = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: { ...META, ..._meta } },
});
const toHeaders = (method: string, { name }: Params = {}): Record<string, string> => ({
  'MCP-Protocol-Version': VERSION,
  'Mcp-Method': method,
  ...(name !== undefined && { 'Mcp-Name': name }),
});
const ask = (method: string, params?: Params, headers: Record<string, string> = {}) =>
  harness.send(message(method, params), { ...toHeaders(method, params), ...headers });
const helper = { name: 'helper', arguments: { input: 'hello' } };

describe('200', () => {
  it('describes itself without a session', async () => {
    const res = await ask('server/discover');
    expect([res.status, res.type]).toEqual([200, 'application/json']);
    expect(res.headers).not.toHaveProperty('mcp-session-id');
    expect(res.body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [VERSION],
      capabilities: { tools: {} },
      instructions: expect.stringContaining('agent'),
      cacheScope: expect.any(String),
      ttlMs: expect.any(Number),
      _meta: SERVER_INFO,
    });
  });

  it('lists tools with what a client may cache, for the caller only', async () => {
    const res = await ask('tools/list', {}, { 'Mcp-Session-Id': 'ignored', 'Last-Event-ID': 'ignored' });
    expect([res.status, res.type]).toEqual([200, 'application/json']);
    expect(res.headers).not.toHaveProperty('mcp-session-id');
    expect(res.body.result).toMatchObject({
      resultType: 'complete',
      tools: [{ name: 'helper', title: 'Helper' }, {}],
      nextCursor: Buffer.from('a.b-c').toString('base64url'),
      cacheScope: 'private',
      ttlMs: 0,
      _meta: SERVER_INFO,
    });
  });

  it('streams progress and result of a call', async () => {
    const res = await ask('tools/call', { ...helper, _meta: { progressToken: 'p' } });
    expect([res.status, res.type]).toEqual([200, 'text/event-stream']);
    expect(res.headers).toMatchObject({ 'x-accel-buffering': 'no' });
    const [progress, result, ...rest] = readMessages(res.text);
    expect(progress.params).toEqual({ progressToken: 'p', progress: 1, message: `run ${runId} started` });
    expect(result.result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: 'hi' }],
      _meta: { run_id: runId, ...SERVER_INFO },
    });
    expect(rest).toEqual([]);
  });

  it('answers a call as JSON to a client that accepts no stream', async () => {
    const res = await ask('tools/call', helper, { Accept: 'application/json' });
    expect([res.type, res.body.result.content]).toEqual(['application/json', [{ type: 'text', text: 'hi' }]]);
  });

  it('starts a run of its own for every request, also with an equal id', async () => {
    await ask('tools/call', helper);
    await ask('tools/call', helper);
    const keys = harness.keys.map((key) => (key as { idempotencyKey: string }).idempotencyKey);
    expect(keys).toEqual([0, 1].map(() => expect.stringMatching(/^mcp\/[0-9a-f-]{36}\/1$/)));
    expect(new Set(keys).size).toBe(2);
  });

  it('takes the name of a tool in the encoding for other characters', async () => {
    const encoded = `=?base64?${Buffer.from('helper').toString('base64')}?=`;
    const [{ result }] = readMessages((await ask('tools/call', helper, { 'Mcp-Name': encoded })).text);
    expect(result.content).toEqual([{ type: 'text', text: 'hi' }]);
  });

  it('answers an unknown tool with an error of JSON-RPC', async () => {
    const [{ error }] = readMessages((await ask('tools/call', { ...helper, name: 'unknown' })).text);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('tools/list') });
  });

  it('ends a subscription at once: there is nothing to notify of', async () => {
    const res = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect([res.status, res.type]).toEqual([200, 'text/event-stream']);
    const subscriptionId = { 'io.modelcontextprotocol/subscriptionId': 1 };
    expect(readMessages(res.text)).toMatchObject([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta: subscriptionId },
      },
      { id: 1, result: { resultType: 'complete', _meta: subscriptionId } },
    ]);
  });
});

describe('400', () => {
  it('refuses a version that it does not speak, and lists those that it does', async () => {
    for (const version of ['1900-01-01', '2025-11-25', '2099-01-01']) {
      const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const res = await ask('tools/list', { _meta }, { 'MCP-Protocol-Version': version });
      expect([res.status, res.body]).toMatchObject([
        400,
        { id: 1, error: { code: -32022, data: { requested: version, supported: [VERSION] } } },
      ]);
    }
  });

  it.each<[string, object, Record<string, string | undefined>]>([
    ['without the version', {}, { 'MCP-Protocol-Version': undefined }],
    ['with another version', {}, { 'MCP-Protocol-Version': '2025-11-25' }],
    ['without the method', {}, { 'Mcp-Method': undefined }],
    ['with another method', {}, { 'Mcp-Method': 'tools/list' }],
    ['without the name of the tool', {}, { 'Mcp-Name': undefined }],
    ['with the name of another tool', {}, { 'Mcp-Name': 'other' }],
    ['with a name that is not encoded correctly', {}, { 'Mcp-Name': '=?base64?*?=' }],
  ])('refuses headers %s', async (_what, params, changed) => {
    const sent = Object.entries({ ...toHeaders('tools/call', helper), ...changed });
    const headers = Object.fromEntries(sent.filter((entry): entry is [string, string] => entry[1] !== undefined));
    const res = await harness.send(message('tools/call', { ...helper, ...params }), headers);
    expect([res.status, res.body]).toMatchObject([400, { jsonrpc: '2.0', id: 1, error: { code: -32020 } }]);
    expect(harness.inputs).toEqual([]);
  });

  it.each(['io.modelcontextprotocol/clientCapabilities', 'io.modelcontextprotocol/protocolVersion'])(
    'refuses a request without %s',
    async (key) => {
      const { [key]: _, ..._meta } = META as Record<string, unknown>;
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };
      const res = await harness.send(body, toHeaders('tools/list'));
      expect([res.status, res.body.error]).toMatchObject([400, { code: -32602 }]);
    },
  );
});

describe('404', () => {
  it.each(['ping', 'logging/setLevel', 'resources/list', 'tasks/get', 'initialize'])('answers %s', async (method) => {
    const res = await ask(method);
    expect([res.status, res.body]).toMatchObject([404, { id: 1, error: { code: -32601 } }]);
  });
});

describe('a client that leaves', () => {
  async function leave(headers: Record<string, string>, body: object): Promise<void> {
    harness.lasts = new Promise(() => {});
    const server = createServer(harness.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const req = httpRequest({
      port,
      path: '/v1/mcp',
      method: 'POST',
      headers: {
        Authorization: `Bearer ${harness.tenant.customerToken}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    req.on('error', () => {});
    req.end(JSON.stringify(body));
    await waitUntil(() => harness.keys.length === 1, { what: 'the run' });
    req.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  it('cancels the run of its request', async () => {
    await leave(toHeaders('tools/call', helper), message('tools/call', helper));
    const { idempotencyKey } = harness.keys[0] as { idempotencyKey: string };
    await waitUntil(() => harness.cancels.length > 0, { what: 'the cancellation' });
    expect(harness.cancels).toEqual([idempotencyKey]);
  });

  it('cancels nothing in an earlier version, whose client may connect again', async () => {
    const session = { 'Mcp-Session-Id': randomUUID() };
    await leave(session, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: helper });
    await ask('tools/list');
    expect(harness.cancels).toEqual([]);
  });
});
