import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { isUuid } from '../../domain/uuid.js';
import type { Webhook } from '../../domain/webhooks/webhook.js';
import { findWebhook } from '../../store/webhooks.js';

/** @throws AppError NOT_FOUND, the same for what never existed and what is another project's. */
export async function requireWebhook(ctx: Context, projectId: string, id: string): Promise<Webhook> {
  const webhook = isUuid(id) ? await findWebhook(ctx.prisma, projectId, id) : undefined;
  if (!webhook) throw webhookNotFound();
  return webhook;
}

export function webhookNotFound(): AppError {
  return new AppError('NOT_FOUND', 'webhook not found');
}
