import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from './http-server.js';

/** A JSON-RPC message. */
export interface McpMessage {
  jsonrpc: '2.0';
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** A request that a script answers, in any way that HTTP allows. */
export interface McpExchange {
  /** Of `GET` and its position in a stream alone: `{ method: 'GET', params: { lastEventId } }`. */
  message: McpMessage;
  headers: IncomingHttpHeaders;
  /** Answers as JSON. */
  send(members: object): void;
  sendStatus(status: number, body?: object): void;
  /** Opens a stream of events unless it is open, writes the messages, and returns it for more. */
  stream(...messages: object[]): ServerResponse;
}

export interface ScriptedMcpServer {
  readonly url: string;
  /** All messages that arrived, and `DELETE`, oldest first. A `GET` is a message of that method. */
  readonly received: readonly (McpMessage | 'DELETE')[];
  /** Why requests were refused, oldest first. */
  readonly refusals: readonly string[];
  /** Answers whose connection is open and that have not ended. */
  openAnswers(): number;
  /** Forgets the sessions: requests in them are answered 404. */
  forgetSessions(): void;
  stop(): Promise<void>;
}

export type McpScript = (exchange: McpExchange) => unknown;

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1' },
};

/**
 * Starts a server of the Model Context Protocol whose answers a test writes, per method. It is as strict as servers made with the
 * official libraries: it refuses a wrong Accept or Content-Type, a version that was not agreed upon, and a missing or unknown
 * session. A method without a script is answered as far as it needs no answer of its own. The script of `GET` resumes streams;
 * without one, `GET` is refused. The script of `server/discover` answers the question of later versions, which names no session.
 */
export async function startScriptedMcpServer(scripts: Record<string, McpScript>): Promise<ScriptedMcpServer> {
  const received: (McpMessage | 'DELETE')[] = [];
  const refusals: string[] = [];
  const open = new Set<ServerResponse>();
  /** Whether the client of a session has said that it is ready. */
  const sessions = new Map<string, { version: string; isReady: boolean }>();

  function findRefusal(req: IncomingMessage, message: McpMessage | undefined): [number, string] | undefined {
    const { accept = '', 'content-type': type = '' } = req.headers;
    const isPost = req.method === 'POST';
    if (isPost && !(accept.includes('application/json') && accept.includes('text/event-stream'))) {
      return [406, `Not Acceptable: ${accept}`];
    }
    if (isPost && type.split(';')[0] !== 'application/json') return [415, `Unsupported Media Type: ${type}`];
    const isKnown = isPost || req.method === 'DELETE' || (req.method === 'GET' && scripts.GET !== undefined);
    if (!isKnown) return [405, 'Method not allowed'];
    if (req.method === 'GET' && !accept.includes('text/event-stream')) return [406, `Not Acceptable: ${accept}`];
    if (message?.method === 'server/discover' && scripts['server/discover']) return undefined;
    const id = req.headers['mcp-session-id'];
    if (message?.method === 'initialize') return id === undefined ? undefined : [400, 'Server already initialized'];
    if (id === undefined) return [400, 'Bad Request: Mcp-Session-Id header is required'];
    const session = sessions.get(String(id));
    if (!session) return [404, 'Session not found'];
    const version = req.headers['mcp-protocol-version'];
    if (version !== session.version) return [400, `Bad Request: Unsupported protocol version: ${version}`];
    const isEarly = !session.isReady && message?.id !== undefined;
    return isEarly ? [400, 'Bad Request: Server not initialized'] : undefined;
  }

  function openSession(message: McpMessage): Record<string, string> {
    const id = randomUUID();
    const asked = String(message.params?.protocolVersion);
    sessions.set(id, { version: VERSIONS.includes(asked) ? asked : initialized.protocolVersion, isReady: false });
    return { 'mcp-session-id': id };
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    open.add(res);
    res.on('close', () => open.delete(res));
    const message = await readMessage(req);
    received.push(message ?? 'DELETE');
    const refusal = findRefusal(req, message);
    if (refusal) {
      refusals.push(refusal[1]);
      sendJson(res, refusal[0], { jsonrpc: '2.0', error: { code: -32000, message: refusal[1] }, id: null });
      return;
    }
    const sessionId = String(req.headers['mcp-session-id']);
    if (message === undefined) sessions.delete(sessionId);
    const session = sessions.get(sessionId);
    if (session && message?.method === 'notifications/initialized') session.isReady = true;
    const headers = message?.method === 'initialize' ? openSession(message) : {};
    const script = scripts[message?.method ?? ''];
    if (message && script) script(exchangeOn(req, res, { message, headers }));
    else if (message?.method === 'initialize') {
      const version = [...sessions.values()].at(-1)?.version;
      exchangeOn(req, res, { message, headers }).send({ result: { ...initialized, protocolVersion: version } });
    } else res.writeHead(202).end();
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
    forgetSessions: () => sessions.clear(),
    stop: () => closeServer(http),
  };
}

/** Returns the message of a request; undefined for a request without a body that is not `GET`. */
export async function readMessage(req: IncomingMessage): Promise<McpMessage | undefined> {
  if (req.method === 'GET') {
    return { jsonrpc: '2.0', method: 'GET', params: { lastEventId: req.headers['last-event-id'] } };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : (JSON.parse(text) as McpMessage);
}

export function exchangeOn(
  req: IncomingMessage,
  res: ServerResponse,
  { message, headers = {} }: { message: McpMessage; headers?: Record<string, string> },
): McpExchange {
  return {
    message,
    headers: req.headers,
    send: (members) => sendJson(res, 200, { jsonrpc: '2.0', id: message.id, ...members }, headers),
    sendStatus: (status, body) => sendJson(res, status, body ?? {}, headers),
    stream(...messages) {
      if (!res.headersSent) res.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
      for (const each of messages) {
        res.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...each })}\n\n`);
      }
      return res;
    },
  };
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
