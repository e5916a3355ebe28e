import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonSchemaValidatorResult, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { AppError } from '@tollgate/errors';
import { createSafeFetch } from '@tollgate/safe-fetch';
import { z } from 'zod';
import type { NameOptions } from './endpoint-client.js';
import { exchangeWith, type McpEndpoint, McpRequestError } from './mcp-exchange.js';

const CONNECTIONS_PER_ORIGIN = 64;
const PAGES_MAX = 10;
const LISTED_TOOLS_MAX = 500;
/** The end of a session delays no answer. */
const END_TIMEOUT_MS = 2_000;
/** The JSON-RPC code of the library for a request without an answer in time. */
const REQUEST_TIMEOUT = -32001;

export type McpReply<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      /** For the model, customers and owners: contains no text of the server. */
      message: string;
      /** The server's own text, for the owner alone. Redact it, then cut it. */
      serverText?: string | undefined;
      isTimeout: boolean;
      /** Whether another attempt may succeed. */
      isRetryable: boolean;
      /** The HTTP status, if that was the failure. */
      status: number | undefined;
    };

/**
 * Calls servers of the Model Context Protocol over streamable HTTP. Returns failures as replies; rejects only when the process
 * stops, with an error that asks the caller to try again.
 */
export interface McpClient {
  /** Returns the tools as the server listed them, unchecked. */
  listTools(endpoint: McpEndpoint): Promise<McpReply<unknown[]>>;
  /** Returns the tool's result, unchecked. `callId` identifies the call to servers that recognize repeats. */
  callTool(endpoint: McpEndpoint, call: McpToolCall): Promise<McpReply<unknown>>;
  /** Interrupts the sessions: calls may take longer than a stop. */
  stop(): Promise<void>;
}

export interface McpToolCall {
  tool: string;
  arguments: Record<string, unknown>;
  callId: string;
}

export interface McpClientOptions {
  allowPrivate: boolean;
  names?: NameOptions | undefined;
}

type Session = { client: Client; options: { signal: AbortSignal; timeout: number } };

const answer = z.looseObject({});
const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().max(4_096).optional() });

/** Opens a session per listing and per call: servers and processes may restart between two calls. */
export function createMcpClient({ allowPrivate, names }: McpClientOptions): McpClient {
  const http = createSafeFetch({ connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...names });
  const stopping = new AbortController();
  /** Sessions and the ends of sessions. */
  const running = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  }

  async function inSession<T>(endpoint: McpEndpoint, work: (session: Session) => Promise<T>): Promise<McpReply<T>> {
    if (stopping.signal.aborted) throw interrupted();
    // The library is large: it is loaded where it is used.
    const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ]);
    const { url, headers, timeoutMs: timeout } = endpoint;
    const expiresAt = performance.now() + timeout;
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: exchangeWith(http, endpoint, { allowPrivate, expiresAt: expiresAt + END_TIMEOUT_MS }),
      requestInit: { headers: { ...headers } },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
    const info = { name: 'tollgate', version: '1' };
    // The client sends no requests on behalf of the server, and the tools' schemas are checked elsewhere, within bounds.
    const client = new Client(info, { capabilities: {}, jsonSchemaValidator: acceptAll });
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(new McpRequestError(toLate(timeout), 'timeout')), timeout);
    try {
      const options = { signal: AbortSignal.any([expiry.signal, stopping.signal]), timeout };
      await client.connect(transport as Parameters<Client['connect']>[0], options);
      return { ok: true, value: await work({ client, options }) };
    } catch (error) {
      if (stopping.signal.aborted) throw interrupted(error);
      return toFailure(error, timeout);
    } finally {
      clearTimeout(timer);
      void track(end(transport, client));
    }
  }

  return {
    listTools: (endpoint) => track(inSession(endpoint, listPages)),
    callTool: (endpoint, { tool: name, arguments: args, callId }) =>
      track(
        inSession(endpoint, ({ client, options }) => {
          const params = { name, arguments: args, _meta: { 'tollgate/call_id': callId } };
          return client.request({ method: 'tools/call', params }, answer, options);
        }),
      ),
    async stop() {
      stopping.abort(interrupted());
      // A session that fails adds its end.
      while (running.size > 0) await Promise.allSettled(running);
      await http.close();
    },
  };
}

async function listPages({ client, options }: Session): Promise<unknown[]> {
  const listed: unknown[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < PAGES_MAX && listed.length < LISTED_TOOLS_MAX; count += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, page, options);
    listed.push(...tools);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return listed.slice(0, LISTED_TOOLS_MAX);
}

/** Ends a session at the server, which may not support that. */
async function end(transport: { terminateSession(): Promise<void> }, client: Client): Promise<void> {
  const timer = setTimeout(() => void client.close().catch(() => undefined), END_TIMEOUT_MS);
  await transport.terminateSession().catch(() => undefined);
  clearTimeout(timer);
  await client.close().catch(() => undefined);
}

const acceptAll: jsonSchemaValidator = {
  getValidator: <T>() => {
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    });
  },
};

function interrupted(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the process stops', { retryable: true, cause });
}

function toLate(timeoutMs: number): string {
  return `no complete answer within ${timeoutMs} ms`;
}

/** Failures of requests that no other attempt changes. */
const finalReasons = new Set(['too_large', 'invalid_url', 'blocked_address']);

function toFailure(error: unknown, timeoutMs: number): McpReply<never> & { ok: false } {
  if (error instanceof McpRequestError) {
    const { reason, status, message } = error;
    const isTimeout = reason === 'timeout';
    const isRetryable = status === undefined ? !finalReasons.has(reason) : status === 429 || status >= 500;
    return { ok: false, message: isTimeout ? toLate(timeoutMs) : message, isTimeout, isRetryable, status };
  }
  const failed = { ok: false, isRetryable: false, status: undefined } as const;
  if (readCode(error) === REQUEST_TIMEOUT) {
    return { ...failed, message: toLate(timeoutMs), isTimeout: true, isRetryable: true };
  }
  if (error instanceof z.core.$ZodError) return { ...failed, message: 'the answer is not valid', isTimeout: false };
  const code = readCode(error);
  const message =
    typeof code === 'number' ? `the server answered with the JSON-RPC error ${code}` : 'the server does not speak MCP';
  return { ...failed, message, serverText: readMessage(error), isTimeout: false };
}

function readCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'the server could not be used';
}
