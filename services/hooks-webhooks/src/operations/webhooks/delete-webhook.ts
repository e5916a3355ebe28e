import type { Context } from '../../context.js';
import { markWebhookDeleted } from '../../store/webhooks.js';
import { cancelPending } from './cancel-pending.js';
import { webhookNotFound } from './require-webhook.js';

/** Marks the webhook deleted, which stops new attempts at once; the sweeper deletes the rows later in batches. */
export async function deleteWebhook(
  ctx: Pick<Context, 'clock' | 'pool' | 'queuePool'>,
  projectId: string,
  id: string,
): Promise<void> {
  const isDeleted = await markWebhookDeleted(ctx.pool, projectId, id, ctx.clock.now());
  if (!isDeleted) throw webhookNotFound();
  await cancelPending(ctx, id);
}
