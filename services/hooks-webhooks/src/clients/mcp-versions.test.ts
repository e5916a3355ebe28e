import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type McpExchange,
  type ScriptedMcpServer,
  type StatelessMcpServer,
  startScriptedMcpServer,
  startStatelessMcpServer,
  waitUntil,
} from '@tollgate/testkit';
import { createMcpClient, type McpClient, type McpToolCall } from './mcp-client.js';

const STATELESS = '2026-07-28';

const client: McpClient = createMcpClient({ allowPrivate: true });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function stateless(options: Parameters<typeof startStatelessMcpServer>[0] = {}): Promise<StatelessMcpServer> {
  const server = await startStatelessMcpServer(options);
  stops.push(server.stop);
  return server;
}

async function earlier(scripts: Parameters<typeof startScriptedMcpServer>[0] = {}): Promise<ScriptedMcpServer> {
  const server = await startScriptedMcpServer({ 'tools/list': listTools, 'tools/call': answerCall, ...scripts });
  stops.push(server.stop);
  return server;
}

type Server = Pick<StatelessMcpServer, 'url'>;

const endpoint = ({ url }: Server, version?: string, timeoutMs = 20_000) => ({ url, headers: {}, timeoutMs, version });
const list = (server: Server, version?: string) => client.listTools(endpoint(server, version));
const call = (server: Server, version?: string, more: Partial<McpToolCall> = {}, timeoutMs?: number) =>
  client.callTool(endpoint(server, version, timeoutMs), {
    tool: 't',
    arguments: {},
    headerParams: [],
    idempotencyKey: 'c',
    ...more,
  });
/** Without the end of a session, which delays no answer. */
const methods = ({ received }: Pick<ScriptedMcpServer, 'received'>) =>
  received.flatMap((message) => (message === 'DELETE' ? [] : [message.method]));

const content = [{ type: 'text', text: 'done' }];
const tool = { name: 't', inputSchema: { type: 'object' as const } };
const ok = { ok: true, value: expect.objectContaining({ content }) };
const listed = (version: string) => ({ ok: true, value: { tools: [tool], version } });
const answerCall = ({ send }: McpExchange) => send({ result: { resultType: 'complete', content } });
const listTools = ({ send }: McpExchange) => send({ result: { tools: [tool] } });
const refuse =
  (status: number, code: number, data?: object) =>
  ({ sendStatus, message }: McpExchange) =>
    sendStatus(status, { jsonrpc: '2.0', id: message.id, error: { code, message: 'refused', data } });

const opening = ['initialize', 'notifications/initialized'];

describe('a listing or call of a server', () => {
  it('asks for the version once per listing, and names it with the tools', async () => {
    const server = await stateless({ tools: [tool] });
    expect(await list(server)).toEqual(listed(STATELESS));
    expect(methods(server)).toEqual(['server/discover', 'tools/list']);
    expect(server.refusals).toEqual([]);
  });

  it('omits the question when the version is known', async () => {
    const server = await stateless({ scripts: { 'tools/call': answerCall } });
    expect(await call(server, STATELESS)).toEqual(ok);
    expect(methods(server)).toEqual(['tools/call']);
    const before = await earlier();
    expect(await call(before, '2025-06-18')).toEqual(ok);
    expect(methods(before)).toEqual([...opening, 'tools/call']);
  });

  it.each<[string, (exchange: McpExchange) => unknown]>([
    ['refuses the request', ({ sendStatus }) => sendStatus(400)],
    ['has no such path for it', ({ sendStatus }) => sendStatus(404)],
    ['fails', ({ sendStatus }) => sendStatus(500)],
    ['does not know the method', refuse(200, -32601)],
    ['speaks earlier versions only', refuse(400, -32022, { supported: ['2025-11-25'] })],
    ['answers something else', ({ send }) => send({ result: {} })],
    ['answers with earlier versions', ({ send }) => send({ result: { supportedVersions: ['2025-11-25'] } })],
    ['answers with a page', (exchange) => exchange.stream().end('<p>hello</p>')],
  ])('uses an earlier version if the server %s', async (_what, script) => {
    const server = await earlier({ 'server/discover': script });
    expect(await list(server)).toEqual(listed('2025-11-25'));
    expect(methods(server)).toEqual(['server/discover', ...opening, 'tools/list']);
  });

  it('uses an earlier version if the server refuses a request without a session', async () => {
    const server = await earlier();
    expect(await list(server)).toEqual(listed('2025-11-25'));
    expect(methods(server)).toEqual(['server/discover', ...opening, 'tools/list']);
  });

  it('uses an earlier version if the server does not answer in half of the time', async () => {
    const server = await earlier({ 'server/discover': () => {} });
    expect(await client.listTools(endpoint(server, undefined, 3_000))).toEqual(listed('2025-11-25'));
  });

  it('fails if the server speaks later versions only', async () => {
    const server = await stateless({ versions: ['2027-01-01'] });
    expect(await list(server)).toMatchObject({
      ok: false,
      message: 'the server speaks no version of MCP that Tollgate speaks',
      serverText: '2027-01-01',
    });
    expect(methods(server)).toEqual(['server/discover']);
  });

  it.each([401, 429])('ends with the status %i of the question', async (status) => {
    const server = await stateless({ scripts: { 'server/discover': ({ sendStatus }) => sendStatus(status) } });
    expect(await list(server)).toMatchObject({ ok: false, status });
    expect(methods(server)).toEqual(['server/discover']);
  });

  it('asks for the version again when a server was replaced by one of another version', async () => {
    const before = await earlier();
    expect(await call(before, STATELESS)).toEqual(ok);
    const after = await stateless({ scripts: { 'tools/call': answerCall } });
    expect(await call(after, '2025-11-25')).toEqual(ok);
    expect(methods(after)).toEqual(['initialize', 'server/discover', 'tools/call']);
  });

  it('makes no second call when the server refuses the call itself', async () => {
    const server = await stateless({ scripts: { 'tools/call': refuse(400, -32602) } });
    expect(await call(server, STATELESS)).toMatchObject({ ok: false, status: 400, serverText: 'refused' });
    expect(methods(server)).toEqual(['tools/call', 'server/discover']);
  });
});

describe('a request of version 2026-07-28', () => {
  it('describes itself in headers and in `_meta`', async () => {
    const requests: McpExchange[] = [];
    const scripts = {
      'tools/call': (exchange: McpExchange) => {
        requests.push(exchange);
        answerCall(exchange);
      },
    };
    const server = await stateless({ scripts });
    expect(await call(server, STATELESS, { tool: 'größer' })).toEqual(ok);
    const [{ headers, message } = { headers: {}, message: undefined }] = requests;
    expect(headers).toMatchObject({
      'mcp-protocol-version': STATELESS,
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('größer').toString('base64')}?=`,
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(message?.params?._meta).toEqual({
      'io.modelcontextprotocol/protocolVersion': STATELESS,
      'io.modelcontextprotocol/clientInfo': { name: 'tollgate', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      'tollgate/idempotency_key': 'c',
    });
  });

  const marked = {
    name: 't',
    inputSchema: { type: 'object' as const, properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  };
  const region = { arguments: { region: 'eu' } };

  it('repeats arguments in the headers that the tool asks for', async () => {
    const server = await stateless({ tools: [marked], scripts: { 'tools/call': answerCall } });
    const headerParams = [{ header: 'Region', path: ['region'] }];
    expect(await call(server, STATELESS, { ...region, headerParams })).toEqual(ok);
    expect(server.refusals).toEqual([]);
  });

  it('repeats a call once with the headers that the tool asks for now', async () => {
    const server = await stateless({ tools: [marked], scripts: { 'tools/call': answerCall } });
    expect(await call(server, STATELESS, region)).toEqual(ok);
    expect(methods(server)).toEqual(['tools/call', 'tools/list', 'tools/call']);
    const strict = await stateless({ tools: [marked], scripts: { 'tools/call': refuse(400, -32020) } });
    expect(await call(strict, STATELESS, region)).toMatchObject({ ok: false, status: 400 });
    expect(methods(strict).filter((method) => method === 'tools/call')).toHaveLength(2);
  });

  it('reads a listing in pages, and tools of any form', async () => {
    const odd = { name: 'odd', inputSchema: { type: 'object', properties: [] } };
    const scripts = {
      'tools/list': ({ send, message }: McpExchange) =>
        send({
          result: message.params?.cursor
            ? { resultType: 'complete', tools: [tool], nextCursor: null }
            : { resultType: 'complete', tools: [odd], nextCursor: 'x' },
        }),
    };
    expect(await list(await stateless({ scripts }), STATELESS)).toEqual({
      ok: true,
      value: { tools: [odd, tool], version: STATELESS },
    });
  });

  it('gets its answer from a stream that stays open, after notifications', async () => {
    const server = await stateless({
      scripts: {
        'tools/call': ({ stream, message }) =>
          stream(
            { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
            { id: 'other', method: 'sampling/createMessage', params: {} },
            { id: message.id, result: { resultType: 'complete', content } },
          ),
      },
    });
    expect(await call(server, STATELESS)).toEqual(ok);
    expect(methods(server)).toEqual(['tools/call']);
    await waitUntil(() => server.openAnswers() === 0, { what: 'the end of the answer' });
  });

  it('takes a result without a type for a complete one', async () => {
    const server = await stateless({ scripts: { 'tools/call': ({ send }) => send({ result: { content } }) } });
    expect(await call(server, STATELESS)).toEqual(ok);
  });

  it('sends the state of a server that asks for the request again, under another id', async () => {
    const states: unknown[] = [];
    const server = await stateless({
      scripts: {
        'tools/call': ({ send, message }) => {
          states.push(message.params?.requestState);
          if (states.length > 2) send({ result: { resultType: 'complete', content } });
          else send({ result: { resultType: 'input_required', requestState: `s${states.length}` } });
        },
      },
    });
    expect(await call(server, STATELESS)).toEqual(ok);
    expect(states).toEqual([undefined, 's1', 's2']);
    expect(new Set(server.received.map(({ id }) => id)).size).toBe(3);
  });

  it.each<[string, object, string]>([
    [
      'asks for input',
      { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create', params: {} } } },
      'the tool asks for input that Tollgate cannot give',
    ],
    [
      'asks for the request again without an end',
      { resultType: 'input_required', requestState: 's' },
      'the server asks for the same request too often',
    ],
    ['is of an unknown type', { resultType: 'task', task: {} }, 'the result is of a type that Tollgate does not know'],
  ])('fails when the result %s', async (_what, result, text) => {
    const server = await stateless({ scripts: { 'tools/call': ({ send }) => send({ result }) } });
    expect(await call(server, STATELESS)).toMatchObject({ ok: false, isTimeout: false, message: text });
    expect(server.received.length).toBeLessThanOrEqual(6);
  });

  it('fails without a second call when its stream breaks off', async () => {
    const server = await stateless({
      scripts: { 'tools/call': ({ stream }) => stream().end('id: 1\nretry: 0\ndata: \n\n') },
    });
    expect(await call(server, STATELESS)).toMatchObject({
      ok: false,
      message: 'the server ended its answer without a result',
    });
    expect(methods(server)).toEqual(['tools/call']);
  });

  it('closes its connection, which cancels it, when its time is over', async () => {
    const server = await stateless({ scripts: { 'tools/call': ({ stream }) => stream() } });
    expect(await call(server, STATELESS, {}, 700)).toMatchObject({ ok: false, isTimeout: true });
    await waitUntil(() => server.openAnswers() === 0, { what: 'the end of the answer' });
    expect(methods(server)).toEqual(['tools/call']);
  });

  it("returns the text of the server's JSON-RPC error", async () => {
    const server = await stateless({ scripts: { 'tools/call': refuse(200, -32602) } });
    expect(await call(server, STATELESS)).toMatchObject({
      ok: false,
      message: 'the server answered with the JSON-RPC error -32602',
      serverText: 'refused',
    });
  });
});
