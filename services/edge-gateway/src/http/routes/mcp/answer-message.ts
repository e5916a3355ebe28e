import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpMessage } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import type { RouteResult } from '../../exchange/route.js';
import { createAgentServer } from './agent-server.js';
import { cancelCall } from './cancel-call.js';
import type { McpCaller } from './mcp-caller.js';

/** The library reads only headers; the message was parsed before. */
const ADDRESS = 'http://mcp.invalid/';

/** A session is a random name that its client sends: it gives the ids of JSON-RPC requests a scope. Nothing is stored. */
const SESSION_HEADER = 'Mcp-Session-Id';

/** Headers that repeat parts of a message, or name the version that it is written in. */
const MIRRORED_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

const CANCEL_TIMEOUT_MS = 30_000;

/**
 * Answers one message with a server of its own: any process serves any message, in any version of the protocol. A tool call is
 * answered as a stream, which carries its progress, to clients that accept one; everything else as JSON.
 *
 * @throws AppError INVALID_INPUT, NOT_FOUND for an unknown version or session before version 2026-07-28
 */
export async function answerMessage(
  caller: Omit<McpCaller, 'scope'>,
  message: McpMessage,
  sent: IncomingHttpHeaders,
): Promise<RouteResult> {
  const request = new Request(ADDRESS, { method: 'POST', headers: toTransportHeaders(sent) });
  const isStreamed = message.method === 'tools/call' && message.id !== undefined && acceptsStream(sent);
  const answer = (await isLegacyRequest(request, message)) ? answerInSession : answerStateless;
  return answer(caller, message, { request, isStreamed, sent });
}

interface Sent {
  request: Request;
  isStreamed: boolean;
  sent: IncomingHttpHeaders;
}

/** Answers a message of a version before 2026-07-28, whose clients send the session that `initialize` returned. */
async function answerInSession(
  { ctx, ...known }: Omit<McpCaller, 'scope'>,
  message: McpMessage,
  { request, isStreamed, sent }: Sent,
): Promise<RouteResult> {
  const caller = { ctx, ...known, scope: readSession(sent) };
  if (message.method === 'notifications/cancelled') await cancelCall(ctx, caller.scope, message.params, caller.call);
  const server = createAgentServer(caller);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStreamed });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: message });
  const close = () => server.close();
  if (isStream(response)) return toStream(response, close);
  const text = await response.text();
  await close();
  if (response.status >= 400) throw new AppError('INVALID_INPUT', readFault(text));
  const headers: Record<string, string> = message.method === 'initialize' ? { [SESSION_HEADER]: randomUUID() } : {};
  return toJson(response, text, headers);
}

/**
 * Answers a request of version 2026-07-28 or later. It names a run of its own, however its client counts. A client that leaves
 * cancels it.
 */
async function answerStateless(
  { ctx, call, ...known }: Omit<McpCaller, 'scope'>,
  message: McpMessage,
  { request, isStreamed }: Sent,
): Promise<RouteResult> {
  const scope = randomUUID();
  const cancel = () =>
    cancelCall(ctx, scope, { requestId: message.id }, call.detached(CANCEL_TIMEOUT_MS)).catch((error: unknown) =>
      ctx.logger.warn({ err: error, request_id: known.requestId }, 'run of a client that left not canceled'),
    );
  if (message.method === 'tools/call') call.onAbort(() => void cancel());
  const handler = createMcpHandler(() => createAgentServer({ ctx, call, ...known, scope }), {
    legacy: 'reject',
    responseMode: isStreamed ? 'sse' : 'auto',
  });
  const response = await handler.fetch(request, { parsedBody: message });
  // No list changes: a subscription is acknowledged and ends.
  if (message.method === 'subscriptions/listen') await handler.close();
  if (isStream(response)) return toStream(response, () => handler.close());
  const text = await response.text();
  await handler.close();
  return toJson(response, text);
}

function readSession(sent: IncomingHttpHeaders): string | undefined {
  const session = sent[SESSION_HEADER.toLowerCase()];
  if (session === undefined || isLowerCaseUuid(String(session))) return session as string | undefined;
  throw new AppError('NOT_FOUND', `${SESSION_HEADER} names no session: send initialize again`);
}

function acceptsStream({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || /text\/event-stream|\*\/\*/.test(accept);
}

/** The library asks for both types, although the answer to most messages has one form. */
function toTransportHeaders(sent: IncomingHttpHeaders): Record<string, string> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const mirrored = MIRRORED_HEADERS.filter((name) => sent[name] !== undefined);
  return { ...headers, ...Object.fromEntries(mirrored.map((name) => [name, String(sent[name])])) };
}

const transportFault = z.object({ error: z.object({ message: z.string() }) });

function readFault(text: string): string {
  const fault = transportFault.safeParse(JSON.parse(text));
  return fault.success ? fault.data.error.message : 'the message is not valid';
}

type Streamed = Response & { body: ReadableStream<Uint8Array> };

function isStream({ body, headers }: Response): boolean {
  return body !== null && (headers.get('content-type') ?? '').startsWith('text/event-stream');
}

function toStream(response: Response, close: () => Promise<void>): RouteResult {
  const chunks = closing((response as Streamed).body, close);
  return { headers: { 'Content-Type': 'text/event-stream' }, chunks };
}

function toJson({ status }: Response, text: string, headers: Record<string, string> = {}): RouteResult {
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

async function* closing(body: ReadableStream<Uint8Array>, close: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await close();
  }
}
