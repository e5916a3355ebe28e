import { endpoints } from '../../server/endpoints.js';
import { createWebhook } from './create-webhook.js';
import { deleteWebhook } from './delete-webhook.js';
import { getWebhook } from './get-webhook.js';
import { getWebhookRecovery } from './get-webhook-recovery.js';
import { getWebhookStatistics } from './get-webhook-statistics.js';
import { listWebhookEventTypes } from './list-webhook-event-types.js';
import { listWebhookEvents } from './list-webhook-events.js';
import { listWebhooks } from './list-webhooks.js';
import { recoverWebhook } from './recover-webhook.js';
import { redeliverWebhookEvent } from './redeliver-webhook-event.js';
import { testWebhook } from './test-webhook.js';
import { updateWebhook } from './update-webhook.js';

export const webhookRouter = endpoints(
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listWebhookEventTypes,
  listWebhookEvents,
  redeliverWebhookEvent,
  getWebhookStatistics,
  recoverWebhook,
  getWebhookRecovery,
);
