import type { Context } from '../context.js';
import { markToolHooksDeleted } from '../store/tool-hooks.js';
import { markWebhooksDeleted } from '../store/webhooks.js';

/**
 * Nothing of a deleted project is called any more: what still happens in it is nobody's to hear, and its owner could not
 * switch the endpoints off. From the moment they are marked no attempt is begun; the sweeper cancels what waits.
 */
export async function closeProject(ctx: Pick<Context, 'prisma' | 'clock'>, projectId: string): Promise<void> {
  const now = ctx.clock.now();
  await markWebhooksDeleted(ctx.prisma, projectId, now);
  await markToolHooksDeleted(ctx.prisma, projectId, now);
}
