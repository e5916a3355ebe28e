import { elapsed } from '@tollgate/runtime';
import { FailureError, type FailureReason, type SafeFetchStream, type SafeStreamClient } from '@tollgate/safe-fetch';
import type { McpHeaders } from '../domain/mcp/mcp-server.js';
import { type RpcError, readRpcError } from './mcp-messages.js';

const RESPONSE_BYTES_MAX = 1_048_576;
/** Of one session together: a listing has many pages. */
const SESSION_BYTES_MAX = 4 * 1_048_576;
/** The part of a refusal that may hold the server's reason. */
const REFUSAL_BYTES_MAX = 16_384;

export interface McpEndpoint {
  url: string;
  headers: McpHeaders;
  /** For everything that one listing or one call sends. */
  timeoutMs: number;
  /** The version that the server spoke last. Undefined: it is asked. */
  version?: string | undefined;
}

/** A request of a session that failed. The message names no address and no header. */
export class McpRequestError extends Error {
  override readonly name = 'McpRequestError';
  readonly reason: FailureReason | 'status';
  readonly status: number | undefined;
  /** The JSON-RPC error that came with the status. */
  readonly rpcError: RpcError | undefined;

  constructor(message: string, reason: FailureReason | 'status', status?: number, rpcError?: RpcError) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.rpcError = rpcError;
  }
}

export interface ExchangeRequest {
  method: 'POST' | 'GET' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** An answer with a status of success. */
export interface ExchangeAnswer {
  status: number;
  mediaType: string;
  sessionId: string | undefined;
  /** Throws `McpRequestError`. */
  body: AsyncGenerator<Uint8Array>;
  /** Closes the connection unless the body was read to its end. */
  dispose(): Promise<void>;
}

/** Makes one request of a session. Rejects with `McpRequestError`. */
export type Exchange = (request: ExchangeRequest, signal: AbortSignal) => Promise<ExchangeAnswer>;

/**
 * Returns the exchange of one session: requests go to the registered URL only, through the guarded client, within the session's
 * time. Answers are bounded, each and together; redirects are failures.
 */
export function exchangeWith(
  client: SafeStreamClient,
  { url, headers: own }: McpEndpoint,
  { allowPrivate, expiresAt }: { allowPrivate: boolean; expiresAt: number },
): Exchange {
  let remainingBytes = SESSION_BYTES_MAX;

  async function* readBounded(body: SafeFetchStream['body']): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        remainingBytes -= chunk.length;
        if (remainingBytes < 0) throw tooMuch();
        yield chunk;
      }
    } catch (error) {
      throw error instanceof FailureError ? new McpRequestError(error.message, error.failure.reason) : error;
    }
  }

  return async ({ method, headers, body }, signal) => {
    if (remainingBytes <= 0) throw tooMuch();
    const result = await client.open(url, {
      method,
      headers: { ...lowerCase(own), ...headers, 'accept-encoding': 'identity', 'user-agent': 'Tollgate/1.0 (MCP)' },
      ...(body !== undefined && { body }),
      timeoutMs: Math.max(1, expiresAt - elapsed()),
      maxResponseBytes: Math.min(RESPONSE_BYTES_MAX, remainingBytes),
      allowPrivate,
      signal,
    });
    if (!result.ok) throw new McpRequestError(result.message, result.reason);
    const { status, body: stream } = result;
    const read = readBounded(stream);
    const answer = {
      status,
      mediaType: readHeader(result, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '',
      sessionId: readHeader(result, 'mcp-session-id') || undefined,
      body: read,
      async dispose() {
        await read.return(undefined);
        // A generator that was not started does not know the stream yet.
        if (!stream.locked) await stream.cancel();
      },
    };
    if (status >= 200 && status <= 299) return answer;
    throw new McpRequestError(`the server answered ${status}`, 'status', status, await readRefusal(answer));
  };
}

function tooMuch(): McpRequestError {
  return new McpRequestError('the server sends too many bytes for one call', 'too_large');
}

function lowerCase(headers: McpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function readHeader({ headers }: SafeFetchStream, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Returns the JSON-RPC error; undefined for any other body: it may repeat headers, or be a page of a proxy. */
async function readRefusal({ mediaType, body, dispose }: ExchangeAnswer): Promise<RpcError | undefined> {
  let text = '';
  try {
    if (mediaType !== 'application/json') return undefined;
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString();
      if (text.length > REFUSAL_BYTES_MAX) return undefined;
    }
    return readRpcError(text);
  } catch {
    return undefined;
  } finally {
    await dispose();
  }
}
