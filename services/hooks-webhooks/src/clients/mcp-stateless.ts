import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { encodeHeader } from '../domain/mcp/header-params.js';
import { STATELESS_VERSION } from '../domain/mcp/mcp-server.js';
import { JSON_OR_STREAM, noResult, readAnswer } from './mcp-answer.js';
import { type Exchange, McpRequestError } from './mcp-exchange.js';
import { type RpcError, toAnswer } from './mcp-messages.js';

/** How Tollgate names itself to servers. */
export const CLIENT_INFO = { name: 'tollgate', version: '1' } as const;

const PREFIX = 'io.modelcontextprotocol/';
const META = {
  [`${PREFIX}protocolVersion`]: STATELESS_VERSION,
  [`${PREFIX}clientInfo`]: CLIENT_INFO,
  [`${PREFIX}clientCapabilities`]: {},
};

/** How often a server may ask for the same request again, with its own state. */
const ROUNDS_MAX = 5;
const ROUND_PAUSE_MS = 250;

/** A request of the protocol. `_meta` may be part of the params. */
export interface McpRequest {
  method: string;
  params: Record<string, unknown>;
  /** Sent in version 2026-07-28 only. */
  headers?: Record<string, string>;
}

/** Makes a request and returns its result as the schema parses it. */
export type Ask = <T>(request: McpRequest, schema: z.ZodType<T>) => Promise<T>;

/** The server answered with an error of JSON-RPC. */
export class McpRpcError extends Error {
  override readonly name = 'McpRpcError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A result that Tollgate cannot use. The message contains no text of the server. */
export class McpResultError extends Error {
  override readonly name = 'McpResultError';
}

const result = z.looseObject({
  resultType: z.string().default('complete'),
  inputRequests: z.record(z.string(), z.unknown()).default({}),
  requestState: z.string().optional(),
});

/**
 * Returns how to ask a server of version 2026-07-28: each request stands for itself. A request that ends early closes its
 * connection, which cancels it. Rejects with `McpRequestError`, `McpRpcError` or `McpResultError`.
 */
export function askStateless(exchange: Exchange, signal: AbortSignal): Ask {
  async function askOnce({ method, params, headers }: McpRequest): Promise<unknown> {
    const _meta = { ...(params._meta as object | undefined), ...META };
    const request = { jsonrpc: '2.0' as const, id: randomUUID(), method, params: { ...params, _meta } };
    const mirrored = {
      'mcp-protocol-version': STATELESS_VERSION,
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': encodeHeader(params.name) }),
    };
    const sent = { ...headers, ...JSON_OR_STREAM, ...mirrored };
    const answer = await exchange({ method: 'POST', headers: sent, body: JSON.stringify(request) }, signal);
    try {
      for await (const { messages } of readAnswer(answer)) {
        const found = messages.map((message) => toAnswer(request, message)).find((message) => message !== undefined);
        if (found) return readResult(found);
      }
      throw noResult();
    } finally {
      await answer.dispose();
    }
  }

  return async (request, schema) => {
    let state: { requestState?: string } = {};
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      if (round > 0) await sleep(ROUND_PAUSE_MS, undefined, { signal });
      const answer = await askOnce({ ...request, params: { ...request.params, ...state } });
      const { resultType, inputRequests, requestState } = result.parse(answer);
      if (resultType === 'complete') return schema.parse(answer);
      if (resultType !== 'input_required') {
        throw new McpResultError('the result is of a type that Tollgate does not know');
      }
      if (Object.keys(inputRequests).length > 0 || requestState === undefined) {
        throw new McpResultError('the tool asks for input that Tollgate cannot give');
      }
      state = { requestState };
    }
    throw new McpResultError('the server asks for the same request too often');
  };
}

function readResult(answer: JSONRPCMessage): unknown {
  if ('error' in answer && answer.error) throw new McpRpcError({ data: undefined, ...answer.error });
  return 'result' in answer ? answer.result : undefined;
}

const discovery = z.object({ supportedVersions: z.array(z.string()) });
const UNSUPPORTED_VERSION = -32_022;

/** Failures after which another request would fail, too. */
const OUTAGES = new Set<string>(['invalid_url', 'blocked_address', 'dns', 'connect']);

/**
 * Returns whether the server speaks version 2026-07-28. Anything but a clear answer means an earlier version, as the protocol
 * prescribes. Rejects when the server cannot be reached, refuses the caller, or speaks later versions only.
 */
export async function isStateless(ask: Ask): Promise<boolean> {
  try {
    const { supportedVersions } = await ask({ method: 'server/discover', params: {} }, discovery);
    if (supportedVersions.includes(STATELESS_VERSION)) return true;
    requireKnownVersion(supportedVersions);
  } catch (error) {
    if (error instanceof UnknownVersionsError) throw error;
    if (error instanceof McpRequestError && (OUTAGES.has(error.reason) || concernsCaller(error.status))) throw error;
    const rpcError = error instanceof McpRequestError ? error.rpcError : error;
    const refused = z.object({
      code: z.literal(UNSUPPORTED_VERSION),
      data: z.object({ supported: z.array(z.string()) }),
    });
    const unsupported = refused.safeParse(rpcError);
    if (unsupported.success) requireKnownVersion(unsupported.data.data.supported);
  }
  return false;
}

/** Whether a status is the same in every version: a redirect, missing credentials, or too many requests. */
function concernsCaller(status = 0): boolean {
  return (status >= 300 && status <= 399) || status === 401 || status === 429;
}

/** The server speaks later versions only. */
export class UnknownVersionsError extends Error {
  override readonly name = 'UnknownVersionsError';
}

function requireKnownVersion(versions: readonly string[]): void {
  if (versions.length === 0 || versions.some((version) => version <= STATELESS_VERSION)) return;
  throw new UnknownVersionsError(versions.slice(0, 10).join(', '));
}
