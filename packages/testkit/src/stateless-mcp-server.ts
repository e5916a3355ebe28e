import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from './http-server.js';
import type { McpTool } from './mcp-server.js';
import { exchangeOn, type McpMessage, type McpScript, readMessage, sendJson } from './scripted-mcp-server.js';

export interface StatelessMcpServer {
  readonly url: string;
  /** All messages that arrived, oldest first. */
  readonly received: readonly McpMessage[];
  /** Why requests were refused, oldest first. */
  readonly refusals: readonly string[];
  /** Answers whose connection is open and that have not ended. */
  openAnswers(): number;
  stop(): Promise<void>;
}

export interface StatelessMcpOptions {
  /** Answers, by method. The server answers `server/discover` and `tools/list` itself unless they have a script. */
  scripts?: Record<string, McpScript>;
  /** Listed, and the source of the headers that calls must have; a test may change it. */
  tools?: McpTool[];
  /** Default `2026-07-28`. */
  versions?: string[];
}

const PREFIX = 'io.modelcontextprotocol/';
const serverInfo = { [`${PREFIX}serverInfo`]: { name: 'stateless', version: '1' } };
const cached = { ttlMs: 0, cacheScope: 'private' };

interface Refusal {
  status: number;
  code: number;
  message: string;
  data?: object;
}

/**
 * Starts a server that speaks version 2026-07-28 of the Model Context Protocol and no earlier one. It is as strict as the
 * specification demands: it refuses requests without the members of `_meta`, and headers that do not repeat the message.
 */
export async function startStatelessMcpServer(options: StatelessMcpOptions = {}): Promise<StatelessMcpServer> {
  const { scripts = {}, tools = [], versions = ['2026-07-28'] } = options;
  const received: McpMessage[] = [];
  const refusals: string[] = [];
  const open = new Set<ServerResponse>();
  const own: Record<string, McpScript> = {
    'server/discover': ({ send }) =>
      send({
        result: {
          resultType: 'complete',
          supportedVersions: versions,
          capabilities: { tools: {} },
          ...cached,
          _meta: serverInfo,
        },
      }),
    'tools/list': ({ send }) => send({ result: { resultType: 'complete', tools, ...cached, _meta: serverInfo } }),
  };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    open.add(res);
    res.on('close', () => open.delete(res));
    const message = await readMessage(req);
    if (message === undefined || req.method !== 'POST') return void res.writeHead(405, { allow: 'POST' }).end();
    received.push(message);
    const script = scripts[message.method ?? ''] ?? own[message.method ?? ''];
    const refusal =
      findRefusal(req, message, { tools, versions }) ??
      (script ? undefined : { status: 404, code: -32601, message: 'Method not found' });
    if (refusal) {
      const { status, ...error } = refusal;
      refusals.push(error.message);
      return sendJson(res, status, { jsonrpc: '2.0', id: message.id ?? null, error });
    }
    await script?.(exchangeOn(req, res, { message }));
  }

  const http = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  const port = await listenOnLoopback(http, 0);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    refusals,
    openAnswers: () => open.size,
    stop: () => closeServer(http),
  };
}

type Known = Required<Pick<StatelessMcpOptions, 'tools' | 'versions'>>;

/** Returns the first rule that a request breaks. */
function findRefusal({ headers }: IncomingMessage, message: McpMessage, known: Known): Refusal | undefined {
  const { accept = '', 'content-type': type = '' } = headers;
  if (!(accept.includes('application/json') && accept.includes('text/event-stream'))) {
    return { status: 406, code: -32600, message: `not acceptable: ${accept}` };
  }
  if (type.split(';')[0] !== 'application/json') return { status: 415, code: -32600, message: `content type: ${type}` };
  const { id, method } = message;
  if ((typeof id !== 'string' && !Number.isInteger(id)) || typeof method !== 'string') {
    return { status: 400, code: -32600, message: 'the body is no request' };
  }
  if (method === 'initialize') return unsupported(message.params?.protocolVersion, known);
  const meta = (message.params?._meta ?? {}) as Record<string, unknown>;
  const missing = ['protocolVersion', 'clientCapabilities'].find((key) => meta[PREFIX + key] === undefined);
  if (missing) return { status: 400, code: -32602, message: `_meta has no ${PREFIX}${missing}` };
  const version = meta[`${PREFIX}protocolVersion`];
  const mirrored = { 'mcp-protocol-version': version, 'mcp-method': method, ...toNamed(message, known.tools) };
  const wrong = Object.entries(mirrored).find(([name, value]) => decode(headers[name]) !== value);
  if (wrong) return { status: 400, code: -32020, message: `the header ${wrong[0]} is not ${wrong[1]}` };
  return known.versions.includes(String(version)) ? undefined : unsupported(version, known);
}

function unsupported(requested: unknown, { versions }: Known): Refusal {
  const data = { supported: versions, requested };
  return { status: 400, code: -32022, message: 'unsupported protocol version', data };
}

/** Returns the headers that repeat parts of a call. */
function toNamed({ method, params }: McpMessage, tools: McpTool[]): Record<string, unknown> {
  if (method !== 'tools/call') return {};
  const { name, arguments: args = {} } = params as { name: string; arguments?: Record<string, unknown> };
  const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  return { 'mcp-name': name, ...Object.fromEntries(toMarked(schema, args)) };
}

function toMarked(schema: object, args: unknown): [string, string][] {
  if (typeof args !== 'object' || args === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, { 'x-mcp-header'?: string }> };
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = (args as Record<string, unknown>)[name];
    const mark = property['x-mcp-header'];
    const own: [string, string][] =
      mark && value !== undefined && value !== null ? [[`mcp-param-${mark.toLowerCase()}`, String(value)]] : [];
    return [...own, ...toMarked(property, value)];
  });
}

function decode(header: string | string[] | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(header))?.[1];
  return encoded === undefined ? (header as string | undefined) : Buffer.from(encoded, 'base64').toString();
}
