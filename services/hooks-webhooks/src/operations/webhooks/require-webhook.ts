import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { Webhook } from '../../domain/webhooks/webhook.js';
import { findWebhook } from '../../store/webhooks.js';

/** @throws AppError NOT_FOUND, including for a webhook of another project */
export async function requireWebhook(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(ctx.pool, projectId, id);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

export function webhookNotFound(): AppError {
  return new AppError('NOT_FOUND', 'webhook not found');
}
