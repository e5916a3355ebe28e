import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import type { McpServer } from '../../../domain/mcp/mcp-server.js';
import { putMcpAuthorization } from '../../../store/mcp/mcp-authorizations.js';
import { forgetListing } from '../../../store/mcp/mcp-servers.js';
import { requireMcpServer } from '../mcp-servers.js';
import { refuseClearly, sealConnection } from './authorize-mcp-server.js';

export interface ConnectClientCommand {
  clientId: string;
  clientSecret: string;
  /** Empty = what the server asks for. */
  scope: string;
}

/**
 * Connects a server with the credentials of a client, in place of what it was connected to. The first tokens are fetched at once, so
 * that wrong credentials change nothing.
 *
 * @throws AppError NOT_FOUND; CONFLICT with the reason when the authorization server issues no tokens
 */
export async function connectMcpClient(
  ctx: Pick<Context, 'clock' | 'keyring' | 'mcpOAuth' | 'pool'>,
  projectId: string,
  id: string,
  { clientId, clientSecret, scope }: ConnectClientCommand,
): Promise<McpServer> {
  if (clientId === '') throw missing('client_id');
  if (clientSecret === '') throw missing('client_secret');
  const { id: serverId, endpointUrl } = await requireMcpServer(ctx, projectId, id);
  const client = { client_id: clientId, client_secret: clientSecret };
  const now = ctx.clock.now();
  const request = { endpointUrl, client, scope: scope || undefined };
  const connection = await refuseClearly(() => ctx.mcpOAuth.connectClient(request));
  const sealed = sealConnection(ctx, serverId, connection, now);
  const endpointOrigin = new URL(endpointUrl).origin;
  await putMcpAuthorization(ctx.pool, { ...sealed, id: serverId, projectId, endpointOrigin });
  await forgetListing(ctx.pool, serverId);
  return await requireMcpServer(ctx, projectId, id);
}

function missing(field: string): AppError {
  const message = 'is required';
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
