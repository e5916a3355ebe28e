import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { McpHeaders, McpServer } from '../../domain/mcp/mcp-server.js';
import { updateMcpServer as update } from '../../store/mcp/mcp-servers.js';
import { checkMcpServer } from './check-mcp-server.js';
import { requireMcpServer } from './require-mcp-server.js';
import { sealHeaders } from './server-credentials.js';

type UpdateMcpServerContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

export interface UpdateMcpServerCommand {
  endpointUrl?: string | undefined;
  /** Replaces all headers. */
  headers?: McpHeaders | undefined;
  enabled?: boolean | undefined;
  timeoutMs?: number | undefined;
  toolsAllowlist?: readonly string[] | undefined;
}

/**
 * Changes only the given settings. A new address does not get the headers of the old one: its owner may be another.
 */
export async function updateMcpServer(
  ctx: UpdateMcpServerContext,
  projectId: string,
  id: string,
  command: UpdateMcpServerCommand,
): Promise<McpServer> {
  const before = await requireMcpServer(ctx, projectId, id);
  const { endpointUrl = before.endpointUrl, timeoutMs = before.timeoutMs, enabled = before.enabled } = command;
  const toolsAllowlist = [...new Set(command.toolsAllowlist ?? before.toolsAllowlist)];
  const proposed = { name: before.name, endpointUrl, timeoutMs, toolsAllowlist, headers: command.headers };
  checkMcpServer(proposed, ctx.endpointRules);
  const isMoved = new URL(endpointUrl).origin !== new URL(before.endpointUrl).origin;
  const headers = command.headers ?? (isMoved ? {} : undefined);
  const server = await update(ctx.pool, projectId, before.id, {
    endpointUrl,
    enabled,
    timeoutMs,
    toolsAllowlist,
    credentials: headers && sealHeaders(ctx, headers, before.id),
    updatedAt: ctx.clock.now(),
    basedOn: before.updatedAt,
  });
  if (server) return server;
  // Another update may have moved the server: the headers of one host must not reach the other.
  await requireMcpServer(ctx, projectId, id);
  throw new AppError('CONFLICT', 'the MCP server was changed by another request: read it, then try again');
}
