import type { Context } from '../../context.js';
import { DELIVERY_STATUSES } from '../../domain/webhooks/delivery.js';
import { WEBHOOK_EVENT_TYPES } from '../../domain/webhooks/webhook-event.js';
import { type DeliveryRecord, selectDeliveries } from '../../store/deliveries.js';
import { requireOneOf } from '../read-settings.js';
import { requireWebhook } from './webhooks.js';

export interface ListDeliveriesFilter {
  webhookId: string;
  eventType: string | undefined;
  status: string | undefined;
}

/** Checks the filter and returns a function that reads a page. */
export async function listDeliveries(
  ctx: Pick<Context, 'pool'>,
  projectId: string,
  filter: ListDeliveriesFilter,
): Promise<(page: { limit: number; offset: number }) => Promise<DeliveryRecord[]>> {
  const webhook = await requireWebhook(ctx, projectId, filter.webhookId);
  const eventType = requireOneOf('event_type', filter.eventType, WEBHOOK_EVENT_TYPES);
  const status = requireOneOf('status', filter.status, DELIVERY_STATUSES);
  return (page) => selectDeliveries(ctx.pool, { webhookId: webhook.id, eventType, status }, page);
}
