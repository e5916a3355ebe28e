import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { deleteMcpAuthorization } from '../../../store/mcp/mcp-authorizations.js';
import { forgetListing } from '../../../store/mcp/mcp-servers.js';
import { requireMcpServer } from '../require-mcp-server.js';

/** Forgets the tokens of a server. @throws AppError NOT_FOUND, also for a server that is not connected */
export async function disconnectMcpServer(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<void> {
  const server = await requireMcpServer(ctx, projectId, id);
  if (!(await deleteMcpAuthorization(ctx.pool, server.id))) {
    throw new AppError('NOT_FOUND', 'the MCP server is not connected to an account');
  }
  await forgetListing(ctx.pool, server.id);
}
