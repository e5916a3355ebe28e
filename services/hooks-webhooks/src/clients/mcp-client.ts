import { AppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';
import { createSafeFetch } from '@tollgate/safe-fetch';
import { z } from 'zod';
import { findHeaderParams, type HeaderParam, toParamHeaders } from '../domain/mcp/header-params.js';
import type { NameOptions } from './endpoint-client.js';
import { exchangeWith, type McpEndpoint, McpRequestError } from './mcp-exchange.js';
import { type McpReply, toFailure, toLate } from './mcp-failure.js';
import { END_TIMEOUT_MS } from './mcp-session.js';
import { speak, type Work } from './mcp-speak.js';
import type { Ask } from './mcp-stateless.js';

const CONNECTIONS_PER_ORIGIN = 64;
const PAGES_MAX = 200;
const LISTED_TOOLS_MAX = 2_000;
const CURSOR_CHARS_MAX = 65_536;
const HEADER_MISMATCH = -32_020;

/**
 * Calls servers of the Model Context Protocol over streamable HTTP. Returns failures as replies; rejects only when the process
 * stops, with an error that asks the caller to try again.
 */
export interface McpClient {
  /** Returns the tools as the server listed them, unchecked, and the version that it speaks. */
  listTools(endpoint: McpEndpoint): Promise<McpReply<ListedTools>>;
  /** Returns the tool's result, unchecked. `idempotencyKey` identifies the call to servers that recognize repeats. */
  callTool(endpoint: McpEndpoint, call: McpToolCall): Promise<McpReply<unknown>>;
  /** Interrupts the sessions: calls may take longer than a stop. */
  stop(): Promise<void>;
}

export interface ListedTools {
  tools: unknown[];
  version: string;
}

export interface McpToolCall {
  tool: string;
  arguments: Record<string, unknown>;
  /** Arguments that the tool asks for in headers. */
  headerParams: readonly HeaderParam[];
  idempotencyKey: string;
}

export interface McpClientOptions {
  allowPrivate: boolean;
  names?: NameOptions | undefined;
}

const answer = z.looseObject({});
const page = z.object({
  tools: z.array(z.unknown()).default([]),
  nextCursor: z.string().max(CURSOR_CHARS_MAX).optional().catch(undefined),
});

/** Opens a session per listing and per call, if the version has them: servers and processes may restart between two calls. */
export function createMcpClient({ allowPrivate, names }: McpClientOptions): McpClient {
  const http = createSafeFetch({ connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...names });
  const stopping = new AbortController();
  /** Listings, calls and the ends of sessions. */
  const running = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  }

  async function run<T>(endpoint: McpEndpoint, work: Work<T>): Promise<McpReply<T>> {
    if (stopping.signal.aborted) throw interrupted();
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(new Error('the time is over')), endpoint.timeoutMs);
    const signal = AbortSignal.any([expiry.signal, stopping.signal]);
    const expiresAt = elapsed() + endpoint.timeoutMs;
    const connection = {
      version: endpoint.version,
      // Requests end with the work; their own time is longer, so that the end of a session fits in.
      open: () => exchangeWith(http, endpoint, { allowPrivate, expiresAt: expiresAt + END_TIMEOUT_MS }),
      track: (end: Promise<unknown>) => void track(end),
    };
    try {
      return await speak(connection, { expiresAt, signal }, work);
    } catch (error) {
      if (stopping.signal.aborted) throw interrupted(error);
      return expiry.signal.aborted ? toLate(endpoint.timeoutMs) : toFailure(error, endpoint.timeoutMs);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    listTools: (endpoint) => track(run(endpoint, async (ask, version) => ({ tools: await listPages(ask), version }))),
    callTool: (endpoint, call) => track(run(endpoint, (ask) => callOnce(ask, call))),
    async stop() {
      stopping.abort(interrupted());
      // A session that fails adds its end.
      while (running.size > 0) await Promise.allSettled(running);
      await http.close();
    },
  };
}

/** Returns the tools of all pages within the bounds. A cursor that comes again would begin an endless listing. */
async function listPages(ask: Ask): Promise<unknown[]> {
  const listed: unknown[] = [];
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  while (cursors.size < PAGES_MAX && listed.length < LISTED_TOOLS_MAX && !cursors.has(cursor)) {
    cursors.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await ask({ method: 'tools/list', params }, page);
    listed.push(...tools);
    cursor = nextCursor || undefined;
  }
  return listed.slice(0, LISTED_TOOLS_MAX);
}

/** Makes the call, and again if the server refuses its headers because the tool asks for others now. */
async function callOnce(ask: Ask, { tool: name, arguments: args, headerParams, idempotencyKey }: McpToolCall) {
  const params = { name, arguments: args, _meta: { 'tollgate/idempotency_key': idempotencyKey } };
  const send = (wanted: readonly HeaderParam[]) =>
    ask({ method: 'tools/call', params, headers: toParamHeaders(wanted, args) }, answer);
  try {
    return await send(headerParams);
  } catch (error) {
    if (!(error instanceof McpRequestError) || error.rpcError?.code !== HEADER_MISMATCH) throw error;
    const wanted = (await listPages(ask)).flatMap((listed) => readHeaderParams(listed, name));
    return await send(wanted);
  }
}

const listedTool = z.object({ name: z.string(), inputSchema: z.record(z.string(), z.unknown()) });

function readHeaderParams(listed: unknown, name: string): HeaderParam[] {
  const parsed = listedTool.safeParse(listed);
  const found = parsed.success && parsed.data.name === name ? findHeaderParams(parsed.data.inputSchema) : [];
  return typeof found === 'string' ? [] : found;
}

function interrupted(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the process stops', { retryable: true, cause });
}
