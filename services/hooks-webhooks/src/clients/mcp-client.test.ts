import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type McpExchange, type ScriptedMcpServer, startScriptedMcpServer, waitUntil } from '@tollgate/testkit';
import { createMcpClient, type McpClient } from './mcp-client.js';

let server: ScriptedMcpServer;
let client: McpClient;

afterEach(async () => {
  await client.stop();
  await server.stop();
});

type Scripts = Parameters<typeof startScriptedMcpServer>[0];

async function start(scripts: Scripts): Promise<void> {
  server = await startScriptedMcpServer(scripts);
  client = createMcpClient({ allowPrivate: true });
}

/** Of a server that is known to speak an earlier version; `mcp-versions.test.ts` has the others. */
const endpoint = (timeoutMs = 20_000) => ({ url: server.url, headers: {}, timeoutMs, version: '2025-11-25' });
const callTool = (timeoutMs?: number) =>
  client.callTool(endpoint(timeoutMs), { tool: 't', arguments: {}, headerParams: [], idempotencyKey: 'c' });
const call = async (script: Scripts[string], timeoutMs?: number) => {
  await start({ 'tools/call': script });
  return await callTool(timeoutMs);
};
/** The methods of the messages that arrived; `reply` for answers of the client. */
const methods = () => server.received.map((message) => (message === 'DELETE' ? message : (message.method ?? 'reply')));
const replies = () => server.received.filter((message) => message !== 'DELETE' && message.method === undefined);

const done = { content: [{ type: 'text', text: 'done' }] };
const ok = { ok: true, value: done };
const answer = ({ message }: McpExchange) => ({ id: message.id, result: done });
const request = (id: string, method: string) => ({ id, method, params: {} });

describe('a call', () => {
  it('ends with its answer although the server leaves the stream open', async () => {
    expect(await call((exchange) => exchange.stream(answer(exchange)))).toEqual(ok);
  });

  it('answers pings and refuses other requests of the server before the answer arrives', async () => {
    let exchange: McpExchange | undefined;
    await start({
      'tools/call': (opened) => {
        exchange = opened;
        const asked = ['sampling/createMessage', 'elicitation/create', 'roots/list', 'unknown/method'];
        opened.stream(request('p', 'ping'), ...asked.map((method, n) => request(`r${n}`, method)));
      },
    });
    const calling = callTool();
    await waitUntil(() => replies().length === 5, { what: 'the replies' });
    exchange?.stream(answer(exchange));
    expect(await calling).toEqual(ok);
    const refused = { error: { code: -32601 } };
    expect(replies()).toMatchObject([
      { id: 'p', result: {} },
      ...[0, 1, 2, 3].map((n) => ({ id: `r${n}`, ...refused })),
    ]);
    expect(server.refusals).toEqual([]);
  });

  it('reads notifications, comments and events without data before the answer', async () => {
    const progress = { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
    const log = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    const reply = await call((exchange) => {
      exchange.stream(progress, log).write(': keep-alive\n\nid: 1\nretry: 10\ndata: \n\ndata: no JSON\n\n');
      exchange.stream({ id: 'other', result: {} }, answer(exchange));
    });
    expect(reply).toEqual(ok);
  });

  it.each<[string, (exchange: McpExchange) => unknown]>([
    ['an error of null', ({ send }) => send({ result: done, error: null })],
    ['a number as text for the id', ({ send, message }) => send({ id: String(message.id), result: done })],
    ['null for absent members', ({ send }) => send({ result: { ...done, _meta: null, structuredContent: null } })],
  ])('accepts an answer with %s', async (_what, script) => {
    expect(await call(script)).toEqual(ok);
  });

  it('keeps null where it is a value', async () => {
    const structuredContent = { a: null, b: [null] };
    expect(await call(({ send }) => send({ result: { structuredContent } }))).toEqual({
      ok: true,
      value: { structuredContent },
    });
  });

  it.each<[string, (exchange: McpExchange) => unknown]>([
    ['ends without the answer', ({ stream }) => stream().end()],
    ['is too long', ({ stream }) => stream().write('x'.repeat(2_000_000))],
    ['is no JSON-RPC', ({ sendStatus }) => sendStatus(200, { result: done })],
    ['is empty', ({ sendStatus }) => sendStatus(204)],
  ])('fails at once when the answer %s', async (_what, script) => {
    expect(await call(script, 120_000)).toMatchObject({ ok: false, isTimeout: false });
  });

  it.each<[string, (exchange: McpExchange) => unknown, number | undefined]>([
    ['an answer', ({ send }) => send({ error: { code: -32602, message: 'q is too long' } }), undefined],
    [
      'an answer that names no request',
      ({ send }) => send({ id: null, error: { code: -32602, message: 'q is too long' } }),
      undefined,
    ],
    [
      'a refused request',
      ({ sendStatus }) => sendStatus(400, { jsonrpc: '2.0', id: null, error: { code: 1, message: 'q is too long' } }),
      400,
    ],
  ])("returns the text of the server's JSON-RPC error in %s", async (_where, script, status) => {
    expect(await call(script)).toMatchObject({ ok: false, serverText: 'q is too long', status });
  });

  it('does not take an error with the code of a timeout for one', async () => {
    const reply = await call(({ send }) => send({ error: { code: -32001, message: 'no such session' } }));
    expect(reply).toMatchObject({ ok: false, isTimeout: false, serverText: 'no such session' });
  });

  it('cancels its request at the server when its time is over', async () => {
    expect(await call(({ stream }) => stream(), 700)).toMatchObject({ ok: false, isTimeout: true });
    await waitUntil(() => methods().includes('notifications/cancelled'), { what: 'the cancellation' });
  });
});

describe('a stream that ends before the answer', () => {
  const prime = ({ stream }: McpExchange) => stream().end('id: 1\nretry: 0\ndata: \n\n');
  /** Starts a server whose resumed streams have these scripts, in order; the last one repeats. */
  const startResumable = (first: Scripts[string], ...resumed: Scripts[string][]) => {
    const positions: unknown[] = [];
    const GET: Scripts[string] = (exchange) => {
      positions.push(exchange.message.params?.lastEventId);
      resumed[Math.min(positions.length, resumed.length) - 1]?.(exchange);
    };
    return start({ 'tools/call': first, GET }).then(() => positions);
  };
  /** The answer to the call, on another stream. */
  const answerCall = ({ stream }: McpExchange) => {
    const asked = server.received.find((message) => message !== 'DELETE' && message.method === 'tools/call');
    stream({ id: asked !== 'DELETE' ? asked?.id : 0, result: done });
  };

  it('continues after its last event, in the same session', async () => {
    const positions = await startResumable(prime, ({ stream }) => stream().end('id: 2\ndata: \n\n'), answerCall);
    expect(await callTool()).toEqual(ok);
    expect(positions).toEqual(['1', '2']);
    expect(server.refusals).toEqual([]);
    expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('continues when its connection breaks', async () => {
    const cut = ({ stream }: McpExchange) => {
      const res = stream();
      res.write('id: a\nretry: 0\ndata: \n\n', () => res.destroy());
    };
    const positions = await startResumable(cut, ({ sendStatus }) => sendStatus(503), answerCall);
    expect(await callTool()).toEqual(ok);
    expect(positions).toEqual(['a', 'a']);
  });

  it('continues a bounded number of times', async () => {
    const positions = await startResumable(prime, prime);
    expect(await callTool()).toMatchObject({ ok: false, message: 'the server ended its answer without a result' });
    expect(positions).toHaveLength(10);
  });

  it.each<[string, Scripts]>([
    ['the server resumes none', { 'tools/call': prime }],
    ['the server has forgotten it', { 'tools/call': prime, GET: ({ sendStatus }) => sendStatus(404) }],
    ['none of its events has an id', { 'tools/call': ({ stream }) => stream().end('data: \n\n'), GET: answerCall }],
  ])('fails without a second call when %s', async (_why, scripts) => {
    await start(scripts);
    expect(await callTool()).toMatchObject({ ok: false, message: 'the server ended its answer without a result' });
    expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('waits for as long as the server asks', async () => {
    await startResumable(({ stream }) => stream().end('id: 1\nretry: 600000\ndata: \n\n'), answerCall);
    expect(await callTool(700)).toMatchObject({ ok: false, isTimeout: true });
    expect(methods()).not.toContain('GET');
  });
});

describe('a session', () => {
  it('opens once again when the server no longer knows it', async () => {
    let lost = 0;
    await start({
      'tools/call': (exchange) => {
        lost += 1;
        if (lost > 1) return exchange.send(answer(exchange));
        server.forgetSessions();
        exchange.sendStatus(404);
      },
    });
    expect(await callTool()).toEqual(ok);
    const opened = ['initialize', 'notifications/initialized', 'tools/call'];
    await waitUntil(() => methods().length === 7, { what: 'the end of the session' });
    expect(methods()).toEqual([...opened, ...opened, 'DELETE']);
  });

  it('keeps no connection of an answer that it does not read', async () => {
    await start({
      'notifications/initialized': ({ stream }) => stream(),
      'tools/call': (exchange) => exchange.send(answer(exchange)),
    });
    expect(await callTool()).toEqual(ok);
    await waitUntil(() => methods().includes('DELETE'), { what: 'the end of the session' });
    await waitUntil(() => server.openAnswers() === 0, { what: 'the end of the answers' });
  });

  it('opens a lost session no third time', async () => {
    const reply = await call(({ sendStatus }) => sendStatus(404));
    expect(reply).toMatchObject({ ok: false, status: 404, isRetryable: true });
    expect(methods().filter((method) => method === 'tools/call')).toHaveLength(2);
  });

  it('limits the requests that a server can make it send', async () => {
    const pings = Array.from({ length: 2_000 }, (_, n) => request(`p${n}`, 'ping'));
    expect(await call(({ stream }) => stream(...pings), 3_000)).toMatchObject({ ok: false, isTimeout: true });
    await client.stop();
    expect(replies().length).toBeGreaterThan(0);
    expect(replies().length).toBeLessThanOrEqual(50);
  });

  it('rejects with a retryable error when the process stops', async () => {
    await start({ 'tools/call': () => {} });
    const calling = callTool(60_000);
    await waitUntil(() => methods().includes('tools/call'), { what: 'the call' });
    const stopping = client.stop();
    await expect(calling).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    await stopping;
    await expect(callTool(1_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('accepts null for absent members of the first answer, and speaks the version of the server', async () => {
    await start({
      initialize: ({ send, message }) => {
        const serverInfo = { name: 'x', version: '1', title: null };
        const capabilities = { tools: { listChanged: null }, prompts: null };
        const { protocolVersion } = message.params ?? {};
        send({ result: { protocolVersion, capabilities, serverInfo, instructions: null }, error: null });
      },
      'tools/call': (exchange) => exchange.send(answer(exchange)),
    });
    expect(await callTool()).toEqual(ok);
  });

  it('fails when the server does not speak MCP', async () => {
    await start({});
    const page = createServer((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
    expect(await client.listTools({ url, headers: {}, timeoutMs: 20_000 })).toMatchObject({
      ok: false,
      isTimeout: false,
    });
    page.closeAllConnections();
    await new Promise((resolve) => page.close(resolve));
  });
});

describe('a listing', () => {
  /** Serves `count` tools in pages. */
  const pages =
    (count: number, pageSize: number): Scripts[string] =>
    ({ send, message }) => {
      const from = Number(message.params?.cursor ?? 0);
      const tools = Array.from({ length: Math.min(pageSize, count - from) }, (_, n) => ({ name: `t${from + n}` }));
      const next = from + pageSize;
      send({ result: { tools, nextCursor: next < count ? String(next) : null } });
    };
  const listNames = async () => {
    const reply = await client.listTools(endpoint());
    return reply.ok ? (reply.value.tools as { name: string }[]).map(({ name }) => name) : reply;
  };

  it('reads all pages', async () => {
    await start({ 'tools/list': pages(60, 5) });
    expect(await listNames()).toEqual(Array.from({ length: 60 }, (_, n) => `t${n}`));
  });

  it('stops at a bound of tools', async () => {
    await start({ 'tools/list': pages(100_000, 500) });
    expect(await listNames()).toHaveLength(2_000);
  });

  it('stops at a cursor that comes again, and at an invalid cursor', async () => {
    for (const [cursor, count] of [
      ['x', 2],
      ['', 1],
      [7, 1],
    ] as const) {
      await start({ 'tools/list': ({ send }) => send({ result: { tools: [{ name: 't' }], nextCursor: cursor } }) });
      expect(await listNames()).toHaveLength(count);
      await client.stop();
      await server.stop();
    }
  });

  it('reads null as no tools', async () => {
    await start({ 'tools/list': ({ send }) => send({ result: { tools: null } }) });
    expect(await listNames()).toEqual([]);
  });

  it('gives members of tools as they are, apart from null', async () => {
    const tools = [{ name: 't', title: null, annotations: null, inputSchema: { type: 'object', default: null } }];
    await start({ 'tools/list': ({ send }) => send({ result: { tools } }) });
    expect(await client.listTools(endpoint())).toEqual({
      ok: true,
      value: { tools: [{ name: 't', inputSchema: { type: 'object', default: null } }], version: '2025-11-25' },
    });
  });
});
