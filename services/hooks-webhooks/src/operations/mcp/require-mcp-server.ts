import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { McpServer } from '../../domain/mcp/mcp-server.js';
import { findMcpServer } from '../../store/mcp/mcp-servers.js';

/** @throws AppError NOT_FOUND, including for a server of another project */
export async function requireMcpServer(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<McpServer> {
  const server = await findMcpServer(ctx.pool, projectId, id);
  if (!server) throw mcpServerNotFound();
  return server;
}

export function mcpServerNotFound(): AppError {
  return new AppError('NOT_FOUND', 'MCP server not found');
}
