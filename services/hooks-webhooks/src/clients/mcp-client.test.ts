import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// The client imports it in parallel with another module of the library, which the test runner cannot load for the first time.
import '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { createMcpClient, type McpClient } from './mcp-client.js';

type Message = { id?: number | string; method?: string };
type Answer = (message: Message, res: ServerResponse) => void;

let server: Server;
let client: McpClient;
let url: string;
/** The HTTP methods with the methods of the JSON-RPC messages; `reply` for answers of the client. */
let requests: string[];
let answerCall: Answer;

beforeEach(async () => {
  requests = [];
  server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  client = createMcpClient({ allowPrivate: true });
});
afterEach(async () => {
  await client.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const message = (text === '' ? {} : JSON.parse(text)) as Message;
  requests.push(`${req.method} ${text === '' ? '' : (message.method ?? 'reply')}`.trim());
  if (message.method === 'tools/call') answerCall(message, res);
  else if (message.method === 'initialize') sendResult(res, message, initialized);
  else res.writeHead(202).end();
}

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
};

function sendResult(res: ServerResponse, { id }: Message, result: object): void {
  res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function sendStream(res: ServerResponse, text: string): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

const callTool = (timeoutMs: number) =>
  client.callTool({ url, headers: {}, timeoutMs }, { tool: 't', arguments: {}, callId: 'c' });

describe('a session', () => {
  it('does not resume a stream without an answer, however often the server asks for it', async () => {
    answerCall = (_message, res) => sendStream(res, 'id: 1\nretry: 0\ndata: \n\n');
    expect(await callTool(700)).toMatchObject({ ok: false, isTimeout: true });
    expect(requests.filter((request) => request.startsWith('GET'))).toEqual([]);
  });

  it('limits the requests that a server can make it send', async () => {
    const ping = (id: number) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: `p${id}`, method: 'ping' })}\n\n`;
    const pings = Array.from({ length: 2_000 }, (_, n) => ping(n)).join('');
    answerCall = (_message, res) => sendStream(res, pings);
    expect(await callTool(1_500)).toMatchObject({ ok: false, isTimeout: true });
    await client.stop();
    expect(requests.filter((request) => request === 'POST reply').length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThanOrEqual(24);
  });

  it('rejects with a retryable error when the process stops', async () => {
    answerCall = () => {};
    const calling = callTool(60_000);
    await waitUntil(() => requests.includes('POST tools/call'), { what: 'the call' });
    const stopping = client.stop();
    await expect(calling).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    await stopping;
    await expect(callTool(1_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
