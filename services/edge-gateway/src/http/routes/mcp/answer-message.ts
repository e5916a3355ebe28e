import type { IncomingHttpHeaders } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { McpMessage } from '@tollgate/api/runs';
import { AppError, asAppError, isAppError } from '@tollgate/errors';
import { lacksMethod } from '@tollgate/rpc';
import { z } from 'zod';
import type { RouteResult } from '../../exchange/route.js';
import { callAgent } from './call-agent.js';
import { listAgentTools } from './list-agent-tools.js';
import type { McpCaller } from './mcp-caller.js';

const INSTRUCTIONS =
  'Each tool runs an agent and returns its answer. A call may take minutes: ask for progress, and reset the timeout of the request with it.';

/** The transport reads only headers; the message was parsed before. */
const ADDRESS = 'http://mcp.invalid/';
const VERSION_HEADER = 'mcp-protocol-version';

/** The server asks its clients nothing, so no answer of theirs is validated. The default would compile a validator per request. */
const NO_VALIDATION = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
};

/**
 * Answers one message with a server of its own: any process serves any message. A tool call is answered as a stream, which
 * carries its progress, to clients that accept one; everything else as JSON. `headers` are added to a JSON answer.
 *
 * @throws AppError INVALID_INPUT for a version of the protocol that the library does not know
 */
export async function answerMessage(
  caller: McpCaller,
  message: McpMessage,
  sent: IncomingHttpHeaders,
  headers: Readonly<Record<string, string>>,
): Promise<RouteResult> {
  const isStreamed = message.method === 'tools/call' && message.id !== undefined && acceptsStream(sent);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStreamed });
  const server = agentServer(caller);
  await server.connect(transport);
  const request = new Request(ADDRESS, { method: 'POST', headers: toTransportHeaders(sent) });
  const response = await transport.handleRequest(request, { parsedBody: message });
  const type = response.headers.get('content-type') ?? '';
  if (response.body && type.startsWith('text/event-stream')) {
    return { headers: { 'Content-Type': type }, chunks: closing(response.body, server) };
  }
  const text = await response.text();
  await server.close();
  if (response.status >= 400) throw new AppError('INVALID_INPUT', readFault(text));
  return { status: response.status, headers: { ...headers }, body: text === '' ? undefined : JSON.parse(text) };
}

function agentServer(caller: McpCaller): Server {
  const capabilities = { tools: { listChanged: false } };
  const options = { capabilities, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATION };
  const server = new Server({ name: 'tollgate', version: '1' }, options);
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    orMcpError(caller, listAgentTools(caller, params?.cursor)),
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => callAgent(caller, params, extra));
  return server;
}

/** The library sends the message of anything that a handler throws; only contract errors may be shown. */
async function orMcpError<T>({ ctx, requestId }: McpCaller, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof McpError) throw error;
    if (lacksMethod(error))
      throw new McpError(ErrorCode.InternalError, 'the service is being updated: try again later');
    if (!isAppError(error)) ctx.logger.error({ err: error, request_id: requestId }, 'request failed');
    const { code, message } = asAppError(error);
    throw new McpError(ErrorCode.InternalError, `${code}: ${message} (request ${requestId})`);
  }
}

function acceptsStream({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || /text\/event-stream|\*\/\*/.test(accept);
}

/** The library asks for both types, although the answer to most messages has one form. */
function toTransportHeaders({ [VERSION_HEADER]: version }: IncomingHttpHeaders): Record<string, string> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return version === undefined ? headers : { ...headers, [VERSION_HEADER]: String(version) };
}

const transportFault = z.object({ error: z.object({ message: z.string() }) });

function readFault(text: string): string {
  const fault = transportFault.safeParse(JSON.parse(text));
  return fault.success ? fault.data.error.message : 'the message is not valid';
}

async function* closing(body: ReadableStream<Uint8Array>, server: Server): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await server.close();
  }
}
