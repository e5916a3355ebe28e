import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { closeServer, listenOnLoopback } from './http-server.js';

/** A tool of the server, in the form of `tools/list`. */
export interface McpTool {
  name: string;
  description?: string;
  inputSchema: { type: 'object'; [member: string]: unknown };
  annotations?: { readOnlyHint?: boolean; idempotentHint?: boolean };
}

/** A call that arrived. */
export interface McpToolCall {
  name: string;
  arguments: Record<string, unknown>;
  meta: Record<string, unknown> | undefined;
  /** Of the HTTP request. */
  authorization: string | undefined;
}

export interface McpTestServerOptions {
  /** Read at each `tools/list`; a test may change it. */
  tools: McpTool[];
  /** Default 0: how long `tools/list` takes. */
  listingMs?: number;
  /** Returns the result of a call: the fields of `CallToolResult`. */
  answer?(call: McpToolCall): object | Promise<object>;
  /** Requests without this header are answered 401. */
  authorization?: string;
  /** Requires a token of an authorization server, and publishes which one (RFC 9728). */
  oauth?: { issuer: string; accepts(authorization: string | undefined): boolean };
  /** Answers as JSON rather than as a stream. */
  isJson?: boolean;
  /** The versions that the server speaks. Default: those before 2026-07-28. */
  versions?: 'earlier' | '2026-07-28' | 'all';
}

/** A server of the Model Context Protocol over streamable HTTP, made with the protocol's own library. */
export interface McpTestServer {
  readonly url: string;
  readonly options: McpTestServerOptions;
  /** All tool calls, oldest first. */
  readonly calls: readonly McpToolCall[];
  /** The methods of all JSON-RPC messages and `DELETE`, oldest first. */
  readonly methods: readonly string[];
  stop(): Promise<void>;
}

/** Starts a server on the loopback interface. */
export async function startMcpServer(options: McpTestServerOptions): Promise<McpTestServer> {
  const calls: McpToolCall[] = [];
  const methods: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const { versions = 'earlier' } = options;
  const current = versions === 'earlier' ? undefined : await serveCurrent(options, calls);
  const [{ Server }, { StreamableHTTPServerTransport: Transport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(types.ListToolsRequestSchema, async () => {
      await sleep(options.listingMs ?? 0);
      return { tools: options.tools };
    });
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { requestInfo }) => {
      const { name, arguments: args = {}, _meta: meta } = params;
      const authorization = requestInfo?.headers.authorization as string | undefined;
      const call = { name, arguments: args, meta, authorization };
      calls.push(call);
      const answer = (await options.answer?.(call)) ?? { content: [{ type: 'text', text: `${name} was called` }] };
      return answer as { content: [] };
    });
    const transport: StreamableHTTPServerTransport = new Transport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: options.isJson ?? false,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (options.authorization !== undefined && req.headers.authorization !== options.authorization) {
      res.writeHead(401).end(`${req.headers.authorization} is not accepted`);
      return;
    }
    if (options.oauth && !(await isAuthorized(options.oauth, req, res))) return;
    const body = await readBody(req);
    methods.push(req.method === 'POST' ? body.method : String(req.method));
    if (current && (versions === '2026-07-28' || !(await current.isLegacy(req, body)))) {
      return current.answer(req, body, res);
    }
    const sent = req.headers['mcp-session-id'];
    const transport = sessions.get(String(sent)) ?? (sent === undefined ? await openSession() : undefined);
    if (!transport) {
      res.writeHead(404).end();
      return;
    }
    await transport.handleRequest(req, res, req.method === 'POST' ? body : undefined);
  }

  const http = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  const port = await listenOnLoopback(http, 0);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    options,
    calls,
    methods,
    async stop() {
      for (const transport of sessions.values()) await transport.close();
      await closeServer(http);
    },
  };
}

/** Serves version 2026-07-28 with the protocol's current library. */
async function serveCurrent(options: McpTestServerOptions, calls: McpToolCall[]) {
  const { createMcpHandler, isLegacyRequest, Server } = await import('@modelcontextprotocol/server');
  const toRequest = (req: IncomingMessage) => {
    const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Request('http://mcp.invalid/', { method: req.method ?? 'POST', headers });
  };
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', async () => {
        await sleep(options.listingMs ?? 0);
        return { tools: options.tools as never };
      });
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const { name, arguments: args = {} } = params;
        const authorization = requestInfo?.headers.get('authorization') ?? undefined;
        const call = { name, arguments: args, meta: mcpReq._meta, authorization };
        calls.push(call);
        const answer = (await options.answer?.(call)) ?? { content: [{ type: 'text', text: `${name} was called` }] };
        return answer as { content: [] };
      });
      return server;
    },
    { legacy: 'reject', responseMode: options.isJson ? 'auto' : 'sse' },
  );
  return {
    isLegacy: (req: IncomingMessage, body: unknown) => isLegacyRequest(toRequest(req), body),
    async answer(req: IncomingMessage, body: unknown, res: ServerResponse): Promise<void> {
      const answer = await handler.fetch(toRequest(req), { parsedBody: body });
      res.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const chunk of answer.body ?? []) res.write(chunk);
      res.end();
    },
  };
}

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** Answers requests for the metadata, and those without a token that is accepted. */
async function isAuthorized(
  { issuer, accepts }: NonNullable<McpTestServerOptions['oauth']>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  const origin = `http://${req.headers.host}`;
  if (req.url === METADATA_PATH) {
    const metadata = { resource: `${origin}/mcp`, authorization_servers: [issuer], scopes_supported: ['notes'] };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    return false;
  }
  if (accepts(req.headers.authorization)) return true;
  await readBody(req);
  res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}${METADATA_PATH}"` }).end();
  return false;
}

async function readBody(req: IncomingMessage): Promise<{ method: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? { method: '' } : JSON.parse(text);
}
