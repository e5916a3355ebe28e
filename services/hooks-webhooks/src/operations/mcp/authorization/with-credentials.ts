import { elapsed } from '@tollgate/runtime';
import type { McpReply } from '../../../clients/mcp-failure.js';
import type { McpHeaders, McpServer } from '../../../domain/mcp/mcp-server.js';
import { type Redact, redactHeaders } from '../../../domain/mcp/redaction.js';
import { markAuthorizationLost } from '../../../store/mcp/mcp-authorizations.js';
import { openHeaders } from '../server-credentials.js';
import { type AccessTokenContext, readAccessToken } from './read-access-token.js';

const UNAUTHORIZED = 401;
/** Less time is not worth another request. */
const REQUEST_MS_MIN = 100;

const REQUIRED = 'the MCP server needs a new authorization: its owner has to connect it again';
const UNAVAILABLE = 'the authorization server of the MCP server is unavailable';

/**
 * Makes a request with the server's headers and, if it is connected, with its access token. A refused token is refreshed once, and
 * the request repeated: a server that answers 401 has done nothing. Everything together ends within `timeoutMs`.
 */
export async function withCredentials<T>(
  ctx: AccessTokenContext,
  server: McpServer,
  timeoutMs: number,
  request: (headers: McpHeaders, timeoutMs: number) => Promise<McpReply<T>>,
): Promise<{ reply: McpReply<T>; redact: Redact }> {
  const headers = openHeaders(ctx, server);
  if (server.authorizationStatus === 'none') {
    return { reply: await request(headers, timeoutMs), redact: redactHeaders(headers) };
  }
  const deadline = elapsed() + timeoutMs;
  const remainingMs = () => Math.max(REQUEST_MS_MIN, Math.ceil(deadline - elapsed()));
  let rejected: number | undefined;
  for (;;) {
    const access = await readAccessToken(ctx, server, remainingMs(), rejected);
    if (access.kind !== 'token') return { reply: toFailure(access.kind), redact: redactHeaders(headers) };
    const sent = withToken(headers, access.token);
    const reply = await request(sent, remainingMs());
    const redact = redactHeaders(sent);
    if (reply.ok || reply.status !== UNAUTHORIZED) return { reply, redact };
    if (rejected !== undefined) {
      await markAuthorizationLost(ctx.pool, { id: server.id, generation: access.generation });
      return { reply: toFailure('required'), redact };
    }
    rejected = access.generation;
  }
}

/** Replaces a header of the owner, in upper or lower case. */
function withToken(headers: McpHeaders, token: string): McpHeaders {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...Object.fromEntries(others), Authorization: `Bearer ${token}` };
}

function toFailure(kind: 'required' | 'unavailable'): McpReply<never> {
  const isRetryable = kind === 'unavailable';
  return { ok: false, message: isRetryable ? UNAVAILABLE : REQUIRED, isTimeout: false, isRetryable, status: undefined };
}
