import type { Context } from '../context.js';
import { markMcpServersDeleted } from '../store/mcp/mcp-servers.js';
import { markToolHooksDeleted } from '../store/tool-hooks.js';
import { markWebhooksDeleted } from '../store/webhooks.js';

/**
 * Deletes all endpoints of a deleted project, whose owner could no longer disable them. Marking them stops new attempts
 * at once; the sweeper cancels pending deliveries.
 */
export async function closeProject(ctx: Pick<Context, 'pool' | 'clock'>, projectId: string): Promise<void> {
  const now = ctx.clock.now();
  await markWebhooksDeleted(ctx.pool, projectId, now);
  await markToolHooksDeleted(ctx.pool, projectId, now);
  await markMcpServersDeleted(ctx.pool, projectId, now);
}
