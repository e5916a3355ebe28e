import { createHash, randomBytes } from 'node:crypto';
import { AppError, isAppError } from '@tollgate/errors';
import { McpOAuthError } from '../../../clients/mcp-oauth.js';
import type { Context } from '../../../context.js';
import { MCP_MESSAGE_CHARS_MAX } from '../../../domain/mcp/mcp-server.js';
import { findMcpAuthorization, insertAttempt } from '../../../store/mcp/mcp-authorizations.js';
import { resealSecret } from '../../signing-secrets.js';
import { requireMcpServer } from '../require-mcp-server.js';
import { openConnection } from './open-connection.js';

/** Time that an owner may take at the authorization server. */
export const ATTEMPT_TTL_MS = 10 * 60_000;
const ATTEMPTS_PER_SERVER_MAX = 20;

/** Who starts and who completes an authorization. */
export interface Authorizer {
  projectId: string;
  userId: string;
  sessionId: string;
}

export interface AuthorizeCommand {
  redirectUri: string;
  clientId: string;
  clientSecret: string;
  scope: string;
}

/**
 * Returns the address at which the owner allows Tollgate to use the server. Only the same session completes it: another person
 * whom the address is sent to cannot be made to connect an account here.
 */
export async function authorizeMcpServer(
  ctx: Pick<Context, 'keyring' | 'mcpOAuth' | 'pool'>,
  by: Authorizer,
  id: string,
  { redirectUri, clientId, clientSecret, scope }: AuthorizeCommand,
): Promise<string> {
  const { projectId } = by;
  const server = await requireMcpServer(ctx, projectId, id);
  const state = toState(by.projectId, server.id);
  const client =
    clientId === '' ? undefined : { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
  const before = await findMcpAuthorization(ctx.pool, server.id);
  const known = before && openConnection(ctx, before);
  const request = { endpointUrl: server.endpointUrl, redirectUri, state, client, known, scope: scope || undefined };
  const { url, attempt } = await refuseClearly(() => ctx.mcpOAuth.prepare(request));
  const stateHash = hashState(state);
  const isStored = await insertAttempt(
    ctx.pool,
    stateHash,
    {
      ...by,
      serverId: server.id,
      endpointOrigin: new URL(server.endpointUrl).origin,
      secret: resealSecret(ctx.keyring, JSON.stringify(attempt), stateHash.toString('hex')),
    },
    { ttlMs: ATTEMPT_TTL_MS, max: ATTEMPTS_PER_SERVER_MAX },
  );
  if (!isStored)
    throw new AppError('RATE_LIMIT', 'too many authorizations of this server were started; wait ten minutes');
  return url;
}

/** Names the page that waits for the code; what is stored decides. */
function toState(projectId: string, serverId: string): string {
  return `${randomBytes(32).toString('base64url')}.${projectId}.${serverId}`;
}

export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/** Turns a failure at the foreign server into an error for the owner. */
export async function refuseClearly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isAppError(cause) || !(cause instanceof McpOAuthError)) throw cause;
    const text = cause.message.slice(0, MCP_MESSAGE_CHARS_MAX);
    throw new AppError('CONFLICT', `the MCP server could not be connected: ${text}`, { cause });
  }
}
