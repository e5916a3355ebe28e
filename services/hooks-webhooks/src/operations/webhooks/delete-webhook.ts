import type { Context } from '../../context.js';
import { isUuid } from '../../domain/uuid.js';
import { markWebhookDeleted } from '../../store/webhooks.js';
import { cancelPending } from './cancel-pending.js';
import { webhookNotFound } from './require-webhook.js';

/** From the moment it is marked no attempt is begun; the rows go later, in small steps. */
export async function deleteWebhook(ctx: Context, projectId: string, id: string): Promise<void> {
  const isDeleted = isUuid(id) && (await markWebhookDeleted(ctx.prisma, projectId, id, ctx.clock.now()));
  if (!isDeleted) throw webhookNotFound();
  await cancelPending(ctx, id);
}
