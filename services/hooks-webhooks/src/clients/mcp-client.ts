import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonSchemaValidatorResult, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { AppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';
import { createSafeFetch } from '@tollgate/safe-fetch';
import { z } from 'zod';
import type { NameOptions } from './endpoint-client.js';
import { exchangeWith, type McpEndpoint, McpRequestError } from './mcp-exchange.js';
import { McpTransport } from './mcp-transport.js';

const CONNECTIONS_PER_ORIGIN = 64;
const PAGES_MAX = 200;
const LISTED_TOOLS_MAX = 2_000;
const CURSOR_CHARS_MAX = 65_536;
/** The end of a session delays no answer. */
const END_TIMEOUT_MS = 2_000;

export type McpReply<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      /** Contains no text of the server. */
      message: string;
      /** The text of the server's JSON-RPC error. Redact it, then cut it. */
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
  /** Returns the tool's result, unchecked. `idempotencyKey` identifies the call to servers that recognize repeats. */
  callTool(endpoint: McpEndpoint, call: McpToolCall): Promise<McpReply<unknown>>;
  /** Interrupts the sessions: calls may take longer than a stop. */
  stop(): Promise<void>;
}

export interface McpToolCall {
  tool: string;
  arguments: Record<string, unknown>;
  idempotencyKey: string;
}

export interface McpClientOptions {
  allowPrivate: boolean;
  names?: NameOptions | undefined;
}

type Session = { client: Client; options: { signal: AbortSignal; timeout: number } };

const answer = z.looseObject({});
const page = z.object({
  tools: z.array(z.unknown()).default([]),
  nextCursor: z.string().max(CURSOR_CHARS_MAX).optional().catch(undefined),
});

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
    const expiresAt = elapsed() + endpoint.timeoutMs;
    const first = await runSession(endpoint, expiresAt, work);
    return first ?? (await runSession(endpoint, expiresAt, work)) ?? sessionLost;
  }

  /** Returns undefined if the server no longer knew the session. */
  async function runSession<T>(
    endpoint: McpEndpoint,
    expiresAt: number,
    work: (session: Session) => Promise<T>,
  ): Promise<McpReply<T> | undefined> {
    if (stopping.signal.aborted) throw interrupted();
    // The library is large: it is loaded where it is used.
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const until = expiresAt + END_TIMEOUT_MS;
    const transport = new McpTransport(exchangeWith(http, endpoint, { allowPrivate, expiresAt: until }));
    const info = { name: 'tollgate', version: '1' };
    // The client does nothing on behalf of the server, and the tools' schemas are checked elsewhere, within bounds.
    const client = new Client(info, { capabilities: {}, jsonSchemaValidator: acceptAll });
    const timeout = Math.max(1, expiresAt - elapsed());
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(new Error('the time is over')), timeout);
    try {
      const options = { signal: AbortSignal.any([expiry.signal, stopping.signal]), timeout };
      await client.connect(transport as Parameters<Client['connect']>[0], options);
      return { ok: true, value: await work({ client, options }) };
    } catch (error) {
      if (stopping.signal.aborted) throw interrupted(error);
      if (expiry.signal.aborted) return toLate(endpoint.timeoutMs);
      return transport.isSessionLost ? undefined : toFailure(error, endpoint.timeoutMs);
    } finally {
      clearTimeout(timer);
      void track(end(transport, client));
    }
  }

  return {
    listTools: (endpoint) => track(inSession(endpoint, listPages)),
    callTool: (endpoint, { tool: name, arguments: args, idempotencyKey }) =>
      track(
        inSession(endpoint, ({ client, options }) => {
          const params = { name, arguments: args, _meta: { 'tollgate/idempotency_key': idempotencyKey } };
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

/** Returns the tools of all pages within the bounds. A cursor that comes again would begin an endless listing. */
async function listPages({ client, options }: Session): Promise<unknown[]> {
  const listed: unknown[] = [];
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  while (cursors.size < PAGES_MAX && listed.length < LISTED_TOOLS_MAX && !cursors.has(cursor)) {
    cursors.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, page, options);
    listed.push(...tools);
    cursor = nextCursor || undefined;
  }
  return listed.slice(0, LISTED_TOOLS_MAX);
}

async function end(transport: McpTransport, client: Client): Promise<void> {
  const timer = setTimeout(() => void client.close().catch(() => undefined), END_TIMEOUT_MS);
  await transport.end().catch(() => undefined);
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

function toLate(timeoutMs: number): McpReply<never> & { ok: false } {
  const message = `no complete answer within ${timeoutMs} ms`;
  return { ok: false, message, isTimeout: true, isRetryable: true, status: undefined };
}

const sessionLost: McpReply<never> = {
  ok: false,
  message: 'the server does not know the session that it opened',
  isTimeout: false,
  isRetryable: true,
  status: 404,
};

/** Failures of requests that no other attempt changes. */
const finalReasons = new Set(['too_large', 'invalid_url', 'blocked_address']);

function toFailure(error: unknown, timeoutMs: number): McpReply<never> & { ok: false } {
  if (error instanceof McpRequestError) {
    const { reason, status, message, serverText } = error;
    if (reason === 'timeout') return toLate(timeoutMs);
    const isRetryable = status === undefined ? !finalReasons.has(reason) : status === 429 || status >= 500;
    return { ok: false, message, serverText, isTimeout: false, isRetryable, status };
  }
  const failed = { ok: false, isTimeout: false, isRetryable: false, status: undefined } as const;
  const code = readCode(error);
  if (error instanceof z.core.$ZodError) return { ...failed, message: 'the answer is not valid' };
  const message =
    typeof code === 'number' ? `the server answered with the JSON-RPC error ${code}` : 'the server does not speak MCP';
  return { ...failed, message, serverText: readMessage(error) };
}

function readCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The library puts the code before the message of a JSON-RPC error. */
function readMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'the server could not be used';
  const prefix = `MCP error ${readCode(error)}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}
