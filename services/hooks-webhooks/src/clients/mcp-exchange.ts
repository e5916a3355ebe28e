import type { FailureReason, SafeFetchClient } from '@tollgate/safe-fetch';
import type { McpHeaders } from '../domain/mcp/mcp-server.js';

const RESPONSE_BYTES_MAX = 1_048_576;
/** Of one session together: a listing has up to ten pages. */
const SESSION_BYTES_MAX = 4 * 1_048_576;
const REQUESTS_MAX = 24;

export interface McpEndpoint {
  url: string;
  headers: McpHeaders;
  /** For everything that one listing or one call sends. */
  timeoutMs: number;
}

/** A request of a session that failed. The message names no address and no header. */
export class McpRequestError extends Error {
  override readonly name = 'McpRequestError';
  readonly reason: FailureReason | 'status';
  readonly status: number | undefined;

  constructor(message: string, reason: FailureReason | 'status', status?: number) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}

/**
 * Returns the `fetch` of one session: requests go to the registered URL only, through the guarded client, within the session's
 * time. Answers are read to their end within their bound; redirects are failures.
 */
export function exchangeWith(
  client: SafeFetchClient,
  endpoint: McpEndpoint,
  { allowPrivate, expiresAt }: { allowPrivate: boolean; expiresAt: number },
): typeof fetch {
  let requests = 0;
  let remainingBytes = SESSION_BYTES_MAX;
  return async (_url, init = {}) => {
    // A session lasts for one listing or call: no stream is opened for other messages, and none is resumed.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    requests += 1;
    if (requests > REQUESTS_MAX || remainingBytes <= 0) {
      throw new McpRequestError('the server needs too many requests or bytes for one call', 'too_large');
    }
    const headers = Object.fromEntries(new Headers(init.headers));
    const result = await client.fetch(endpoint.url, {
      method: init.method as 'GET' | 'POST' | 'DELETE',
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Tollgate/1.0 (MCP)' },
      ...(typeof init.body === 'string' && { body: init.body }),
      timeoutMs: Math.max(1, expiresAt - performance.now()),
      maxResponseBytes: Math.min(RESPONSE_BYTES_MAX, remainingBytes),
      allowPrivate,
      ...(init.signal && { signal: init.signal }),
    });
    if (!result.ok) throw new McpRequestError(result.message, result.reason);
    remainingBytes -= result.body.length;
    const { status } = result;
    if (status < 200 || status > 299) throw new McpRequestError(`the server answered ${status}`, 'status', status);
    const hasBody = status !== 202 && status !== 204 && status !== 205;
    return new Response(hasBody ? new Uint8Array(result.body) : null, { status, headers: toHeaders(result.headers) });
  };
}

function toHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const name of ['content-type', 'mcp-session-id']) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}
