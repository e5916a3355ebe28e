import { elapsed } from '@tollgate/runtime';
import type { McpReply } from '../../clients/mcp-failure.js';
import type { Listing } from '../../domain/mcp/offered-tools.js';
import { type ListServerToolsContext, listServerTools } from './list-server-tools.js';
import { requireMcpServer } from './mcp-servers.js';

/** Lists the server's tools now, even when it is disabled. */
export async function testMcpServer(
  ctx: ListServerToolsContext,
  projectId: string,
  id: string,
): Promise<{ reply: McpReply<Listing>; latencyMs: number }> {
  const server = await requireMcpServer(ctx, projectId, id);
  const started = elapsed();
  const reply = await listServerTools(ctx, server, server.timeoutMs);
  return { reply, latencyMs: Math.round(elapsed() - started) };
}
