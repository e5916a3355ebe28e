import { AppError } from '@tollgate/errors';
import { openSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../../context.js';
import { attemptSchema } from '../../../domain/mcp/connection.js';
import type { McpServer } from '../../../domain/mcp/mcp-server.js';
import { putMcpAuthorization, takeAttempt } from '../../../store/mcp/mcp-authorizations.js';
import { forgetListing } from '../../../store/mcp/mcp-servers.js';
import { requireMcpServer } from '../require-mcp-server.js';
import { type Authorizer, hashState, refuseClearly } from './authorize-mcp-server.js';
import { sealConnection } from './open-connection.js';

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
