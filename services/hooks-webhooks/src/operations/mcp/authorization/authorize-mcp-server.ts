import { createHash, randomBytes } from 'node:crypto';
import { AppError, isAppError } from '@tollgate/errors';
import { openSecret, type SealedSecret } from '@tollgate/runtime/secret-box';
import { McpOAuthError } from '../../../clients/mcp-oauth.js';
import type { Context } from '../../../context.js';
import { attemptSchema, type Connection, connectionSchema } from '../../../domain/mcp/connection.js';
import { MCP_MESSAGE_CHARS_MAX, type McpServer } from '../../../domain/mcp/mcp-server.js';
import {
  deleteMcpAuthorization,
  findMcpAuthorization,
  insertAttempt,
  type McpAuthorization,
  putMcpAuthorization,
  takeAttempt,
} from '../../../store/mcp/mcp-authorizations.js';
import { forgetListing } from '../../../store/mcp/mcp-servers.js';
import { resealSecret } from '../../signing-secrets.js';
import { requireMcpServer } from '../mcp-servers.js';

/** Time that an owner may take at the authorization server. */
export const ATTEMPT_TTL_MS = 10 * 60_000;
const ATTEMPTS_PER_SERVER_MAX = 20;

/** Who starts and who completes an authorization. */
export interface Authorizer {
  projectId: string;
  userId: string;
  sessionId: string;
}

interface AuthorizeCommand {
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

function hashState(state: string): Buffer {
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

/**
 * Exchanges the code of an authorization that the same session started, once.
 *
 * @throws AppError VALIDATION_ERROR for another session, server or project, and when it was used or has expired
 */
export async function completeMcpAuthorization(
  ctx: Pick<Context, 'clock' | 'keyring' | 'mcpOAuth' | 'pool'>,
  by: Authorizer,
  id: string,
  { state, code, issuer }: { state: string; code: string; issuer: string },
): Promise<McpServer> {
  const server = await requireMcpServer(ctx, by.projectId, id);
  const stateHash = hashState(state);
  const taken = await takeAttempt(ctx.pool, stateHash, { ...by, serverId: server.id });
  if (!taken)
    throw invalid('this authorization belongs to another session, was used before, or has expired; start again');
  const attempt = attemptSchema.parse(JSON.parse(openSecret(ctx.keyring, taken.secret, stateHash.toString('hex'))));
  const { codeVerifier: _, ...account } = attempt;
  // RFC 9207: the code of another authorization server must not reach this one.
  if (issuer === '' && account.metadata?.authorization_response_iss_parameter_supported === true) {
    throw invalid('the code does not name its authorization server; start again');
  }
  if (issuer !== '' && account.metadata && issuer !== account.metadata.issuer) {
    throw invalid('the code comes from another authorization server; start again');
  }
  const now = ctx.clock.now();
  const tokens = await refuseClearly(() => ctx.mcpOAuth.exchange(attempt, code));
  const sealed = sealConnection(ctx, server.id, { ...account, tokens }, now);
  const { endpointOrigin } = taken;
  await putMcpAuthorization(ctx.pool, { ...sealed, id: server.id, projectId: by.projectId, endpointOrigin });
  await forgetListing(ctx.pool, server.id);
  return await requireMcpServer(ctx, by.projectId, id);
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'state', message }] });
}

/** Forgets the tokens of a server. @throws AppError NOT_FOUND, also for a server that is not connected */
export async function disconnectMcpServer(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<void> {
  const server = await requireMcpServer(ctx, projectId, id);
  if (!(await deleteMcpAuthorization(ctx.pool, server.id))) {
    throw new AppError('NOT_FOUND', 'the MCP server is not connected to an account');
  }
  await forgetListing(ctx.pool, server.id);
}

/** @throws Error when no configured key opens the secret */
export function openConnection({ keyring }: Pick<Context, 'keyring'>, { id, secret }: McpAuthorization): Connection {
  return connectionSchema.parse(JSON.parse(openSecret(keyring, secret, id)));
}

/** Returns the columns of a connection whose tokens were issued at `now`. */
export function sealConnection(
  { keyring }: Pick<Context, 'keyring'>,
  id: string,
  connection: Connection,
  now: Date,
): { secret: SealedSecret; expiresAt: Date | undefined } {
  const { expires_in: seconds } = connection.tokens;
  const expiresAt =
    seconds === undefined ? undefined : new Date(now.getTime() + Math.min(seconds, 366 * 86_400) * 1000);
  return { secret: resealSecret(keyring, JSON.stringify(connection), id), expiresAt };
}
