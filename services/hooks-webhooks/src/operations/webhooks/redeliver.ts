import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { type DeliveryRecord, findDelivery, hurryPending, requeueFinished } from '../../store/deliveries.js';
import { requireWebhook } from './webhooks.js';

/** Restarts a finished delivery with five new attempts; makes a waiting one due now. */
export async function redeliver(
  ctx: Pick<Context, 'pool' | 'queuePool' | 'wakeDeliveries'>,
  projectId: string,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const webhook = await requireWebhook(ctx, projectId, webhookId);
  const before = await findDelivery(ctx.pool, webhook.id, deliveryId);
  if (!before) throw deliveryNotFound();
  if (!webhook.enabled) throw new AppError('CONFLICT', 'the webhook is disabled');
  if (before.status === 'processing') throw new AppError('CONFLICT', 'the delivery is being attempted');
  if (!(await requeueFinished(ctx.queuePool, webhook.id, before.id))) {
    await hurryPending(ctx.queuePool, webhook.id, before.id);
  }
  ctx.wakeDeliveries();
  const after = await findDelivery(ctx.pool, webhook.id, before.id);
  if (!after) throw deliveryNotFound();
  return after;
}

function deliveryNotFound(): AppError {
  return new AppError('NOT_FOUND', 'delivery not found');
}
